#!/usr/bin/env python3
"""Runs one lint test: lints a file and holds the result against the
expectations written in that file. README.md beside this file says how to write
them; lit calls this script for `%check`.

Exit status: 0 the file behaves as it says, 1 it does not, 2 the test itself is
wrong (an unknown kind of expectation, an unknown check).
"""

import argparse
import collections
import difflib
import os
import re
import subprocess
import sys

KINDS = ("CHECK-MESSAGES", "CHECK-NOTES", "CHECK-FIXES")
EXPECTATION = re.compile(
    r"//\s*(CHECK-[A-Z]+)((?:-[A-Z0-9]+)*?)((?:-(?:NOT|NEXT|SAME|DAG|COUNT-\d+|"
    r"EMPTY|LABEL))?)\s*:")
FINDING = re.compile(r"^(.*?):(\d+):(\d+): (warning|error): (.*)$")
SUFFIX_OPTION = re.compile(r"--suffix[= ]([A-Z0-9,-]+)")


class Failure(Exception):
    def __init__(self, message, status=1):
        super().__init__(message)
        self.status = status


def parse_arguments():
    argv, flags = sys.argv[1:], []
    if "--" in argv:
        at = argv.index("--")
        argv, flags = argv[:at], argv[at + 1:]
    parser = argparse.ArgumentParser(description=__doc__)
    for tool in ("clang-tidy", "plugin", "async-tidy", "clang", "filecheck",
                 "inputs", "temp"):
        parser.add_argument("--" + tool, required=True)
    parser.add_argument("file")
    parser.add_argument("checks", help="e.g. async-foo, or async-foo,async-bar")
    parser.add_argument("--option", action="append", default=[],
                        metavar="KEY=VALUE", help="a check option")
    parser.add_argument("--suffix", action="append", default=[],
                        help="also use expectations with this suffix")
    parser.add_argument("--std", default="c++20")
    parser.add_argument("--system-headers", action="store_true")
    parser.add_argument("--upstream", action="store_true",
                        help="the checks are clang-tidy's own: async-tidy has "
                        "none of them")
    args = parser.parse_args(argv)
    args.suffixes = [s for given in args.suffix for s in given.split(",")]
    args.flags = flags
    return args


class Expectations:
    """Which kinds of expectations the file holds for this run."""

    def __init__(self, args):
        self.text = open(args.file, encoding="utf-8").read()
        wanted = [""] + ["-" + s for s in args.suffixes]
        known = set(wanted)
        for line in self.text.splitlines():
            for match in SUFFIX_OPTION.finditer(line):
                known.update("-" + s for s in match.group(1).split(","))
        self.prefixes = {kind: [] for kind in KINDS}
        for number, line in enumerate(self.text.splitlines(), 1):
            if re.search(r"//\s*CHECK", line) is None:
                continue
            match = EXPECTATION.search(line)
            if match is None or match.group(1) not in KINDS:
                raise Failure(f"{args.file}:{number}: not an expectation: "
                              f"{line.strip()}", 2)
            kind, suffix, _ = match.groups()
            if suffix not in known:
                raise Failure(f"{args.file}:{number}: no run has --suffix "
                              f"{suffix[1:]}", 2)
            if suffix in wanted and kind + suffix not in self.prefixes[kind]:
                self.prefixes[kind].append(kind + suffix)
        if self.prefixes["CHECK-NOTES"] and self.prefixes["CHECK-MESSAGES"]:
            raise Failure(f"{args.file}: use CHECK-NOTES or CHECK-MESSAGES, "
                          "not both in one run", 2)

    def fixes(self):
        return self.prefixes["CHECK-FIXES"]

    def messages(self):
        return self.prefixes["CHECK-NOTES"] or self.prefixes["CHECK-MESSAGES"]

    def notes_too(self):
        return bool(self.prefixes["CHECK-NOTES"])


def run(command):
    return subprocess.run(command, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", errors="replace")


def config(args):
    """A configuration that keeps every .clang-tidy file out of the test."""
    options = []
    for option in args.option:
        key, _, value = option.partition("=")
        value = value.replace("'", "''")
        options.append(f"'{key}': '{value}'")
    return ("{HeaderFilterRegex: '.*', FormatStyle: none, CheckOptions: {"
            + ", ".join(options) + "}}")


def compile_flags(args):
    return ["-std=" + args.std, "-isystem", args.inputs] + args.flags


def lint(args, file, *extra, tool="clang-tidy"):
    if tool == "clang-tidy":
        command = [args.clang_tidy, "-load=" + args.plugin, "--quiet"]
    else:
        command = [args.async_tidy]
    command += ["--checks=-*," + args.checks, "--config=" + config(args), *extra]
    if args.system_headers:
        command.append("--system-headers")
    result = run(command + [file, "--"] + compile_flags(args))
    # 1: findings (async-tidy) or errors in the code (clang-tidy).
    if result.returncode not in (0, 1) or (
            "Error: no checks enabled" in result.stderr):
        raise Failure(f"{' '.join(command)}\nended with {result.returncode}:\n"
                      f"{result.stdout}{result.stderr}", 2)
    return result.stdout


def check_shells_agree(args, output):
    """async-tidy must print what clang-tidy with the plugin prints. It leaves
    errors of the compiler to its messages about files it could not analyse."""
    other = lint(args, args.file, tool="async-tidy")
    if other != output:
        diff = difflib.unified_diff(output.splitlines(), other.splitlines(),
                                    "the plugin prints", "async-tidy prints",
                                    lineterm="", n=0)
        raise Failure("\n".join(diff))


def findings(output):
    return [m.group(5) for m in map(FINDING.match, output.splitlines()) if m]


def filecheck(args, prefixes, input_text, what, *extra):
    result = subprocess.run(
        [args.filecheck, args.file, "--check-prefixes=" + ",".join(prefixes),
         "--allow-unused-prefixes", "--dump-input=never", *extra],
        input=input_text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", errors="replace")
    if result.returncode != 0:
        raise Failure(f"--- {what}:\n{input_text}\n--- differ from what "
                      f"{args.file} expects:\n{result.stdout}")


def check_messages(args, expected, output):
    kinds = "{{(note|warning|error): }}" if expected.notes_too() else (
        "{{(warning|error): }}")
    if expected.messages():
        filecheck(args, expected.messages(), output, "the findings",
                  "--implicit-check-not=" + kinds)
    elif findings(output):
        raise Failure(f"nothing was expected to be found, but:\n{output}")


def offers_fix(file):
    """Whether the findings that clang-tidy exported hold a change."""
    return os.path.exists(file) and "ReplacementText:" in open(
        file, encoding="utf-8", errors="replace").read()


def check_fixes(args, expected):
    """Applies the fixes to a copy. What they make must be as expected, must
    compile, and must not be found again."""
    fixed = args.temp + os.path.splitext(args.file)[1]
    # The expectations must not be met by themselves.
    original = re.sub(r"//\s*CHECK-.*", "//", expected.text)
    with open(fixed, "w", encoding="utf-8") as out:
        out.write(original)
    output = lint(args, fixed, "--fix")
    text = open(fixed, encoding="utf-8").read()
    if not expected.fixes():
        if text != original:
            diff = difflib.unified_diff(original.splitlines(),
                                        text.splitlines(), lineterm="", n=1)
            raise Failure("no CHECK-FIXES, but a fix was applied:\n"
                          + "\n".join(diff))
        return
    filecheck(args, expected.fixes(), text, "the fixed text")

    compiled = run([args.clang, "-fsyntax-only", *compile_flags(args), fixed])
    if compiled.returncode != 0:
        raise Failure(f"the fixed text does not compile:\n{compiled.stderr}\n"
                      f"{text}")

    before = findings(output)
    mended, current = set(), -1
    for line in output.splitlines():
        if FINDING.match(line):
            current += 1
        elif "note: FIX-IT applied" in line:
            mended.add(current)
    again = lint(args, fixed)
    after = findings(again)
    if (len(after) > len(before) - len(mended)
            or collections.Counter(after) - collections.Counter(before)):
        raise Failure(f"{len(mended)} of {len(before)} findings were fixed, "
                      f"but the fixed text has these:\n{again}\n{text}")


def main():
    args = parse_arguments()
    try:
        expected = Expectations(args)
        fixes = args.temp + ".yaml"
        if os.path.exists(fixes):
            os.remove(fixes)
        output = lint(args, args.file, "--export-fixes=" + fixes)
        check_messages(args, expected, output)
        if not args.upstream:
            check_shells_agree(args, output)
        if expected.fixes() or offers_fix(fixes):
            check_fixes(args, expected)
    except Failure as failure:
        print(failure)
        return failure.status
    return 0


if __name__ == "__main__":
    sys.exit(main())
