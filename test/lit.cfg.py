# How lit runs the tests; README.md beside this file says how to write one.
# `config` and the tools' places come from lit.site.cfg.py in the build folder.

import os
import sys

import lit.formats

config.name = "async-tidy"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp", ".test"]
config.excludes = ["Inputs", "unit"]
config.test_source_root = os.path.dirname(__file__)
# Each run of lit writes a file of times into this folder and reads the last
# one's: runs side by side need one each.
config.test_exec_root = lit_config.params.get("exec-root", config.binary_dir)

config.environment["PATH"] = os.pathsep.join(
    [config.llvm_bin, config.environment["PATH"]])
config.environment["LC_ALL"] = "C.UTF-8"
config.available_features.add(f"llvm-{config.llvm_major}")

if config.other_plugin:
    config.available_features.add("other-plugin")

async_tidy = os.path.join(config.build_dir, "bin", "async-tidy")
async_clangd = os.path.join(config.build_dir, "bin", "async-clangd")
plugin = os.path.join(config.build_dir, "lib", "AsyncTidyPlugin.so")
clang_tidy = os.path.join(config.llvm_bin, "clang-tidy")
clang = os.path.join(config.llvm_bin, "clang++")
filecheck = os.path.join(config.llvm_bin, "FileCheck")
inputs = os.path.join(config.test_source_root, "Inputs")
check = os.path.join(config.test_source_root, "check.py")

# %check ends before "%s": what follows is the file, the checks and the options.
config.substitutions += [
    ("%check", f"{sys.executable} {check} --clang-tidy={clang_tidy} "
               f"--plugin={plugin} --async-tidy={async_tidy} --clang={clang} "
               f"--filecheck={filecheck} --inputs={inputs} --temp=%t.fixed"),
    ("%plugin-tidy", f"{clang_tidy} -load={plugin}"),
    ("%plugin", plugin),
    ("%other-plugin", config.other_plugin),
    ("%async-tidy", async_tidy),
    ("%async-clangd", async_clangd),
    ("%clang-tidy", clang_tidy),
    ("%clang", clang),
    ("%inputs", inputs),
    ("%python", sys.executable),
    ("%source-dir", config.source_dir),
]
