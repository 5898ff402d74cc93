#!/usr/bin/env python3
"""Opens WORK/a.cpp in async-clangd under several configurations."""

import argparse
import os
import sys

from lsp import Clangd

CHECK = "async-swallowed-cancellation"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("async-clangd", "inputs", "work"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    root = os.path.realpath(args.work)
    file = os.path.join(root, "a.cpp")
    with open(os.path.join(root, "compile_flags.txt"), "w") as out:
        out.write(f"-xc++\n-std=c++20\n-isystem\n{args.inputs}\n")
    # The developer's own configuration must not hold.
    environment = {**os.environ, "XDG_CONFIG_HOME": os.path.join(root, "none")}
    failures = []

    def look(what, expected, clang_tidy="", clangd=""):
        for name, text in ((".clang-tidy", clang_tidy), (".clangd", clangd)):
            path = os.path.join(root, name)
            if os.path.exists(path):
                os.remove(path)
            if text:
                with open(path, "w") as out:
                    out.write(text)
        with Clangd(args.async_clangd, root, environment=environment) as server:
            found = server.diagnostics(file)
            codes = {str(d.get("code")) for d in found}
            if (CHECK in codes) != expected or any(
                    d["severity"] == 1 for d in found):
                failures.append(f"{what}: {found}")
                return
            if expected:
                finding = next(d for d in found if d.get("code") == CHECK)
                titles = [a["title"] for a in server.code_actions(file, finding)]
                if not any("rethrow" in t or "insert" in t or "throw" in t
                           for t in titles):
                    failures.append(f"{what}: no fix offered: {titles}")

    look("no configuration", True)
    look("checks of other modules", True, "Checks: '-*,bugprone-*'\n")
    look("async checks", True, "Checks: '-*,async-*'\n")
    look("another async check", False, "Checks: '-*,async-retried-*'\n")
    look("without the check", False, f"Checks: '-{CHECK}'\n")
    look("every speed", True,
         clangd="Diagnostics: {ClangTidy: {FastCheckFilter: Loose}}\n")
    look("taken away by .clangd", False,
         clangd=f"Diagnostics: {{ClangTidy: {{Remove: [{CHECK}]}}}}\n")
    print("\n".join(failures))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
