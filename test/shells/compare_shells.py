#!/usr/bin/env python3
"""Lints files with all three shells and compares what they find.

A finding is its file, line, column, check and message, with its notes' places
and texts where the shell shows them. Findings in headers are left out: clangd
shows those of the open file only.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

from lsp import Clangd

LINE = re.compile(r"^(/.*?):(\d+):(\d+): (warning|error): (.*) \[(async-[a-z-]+)\]$")


def from_text(command, file):
    """What clang-tidy or async-tidy print about one file."""
    result = subprocess.run(command + [file], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            encoding="utf-8")
    if result.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} {file} ended with {result.returncode}:\n"
                 + result.stdout + result.stderr)
    found = set()
    for line in result.stdout.splitlines():
        match = LINE.match(line)
        if match and os.path.realpath(match.group(1)) == file:
            found.add((int(match.group(2)), int(match.group(3)),
                       match.group(6), match.group(5)))
    return found


def utf8_column(lines, position):
    """LSP counts UTF-16 units from 0, clang bytes from 1."""
    before = lines[position["line"]].encode("utf-16-le")
    before = before[:2 * position["character"]].decode("utf-16-le")
    return len(before.encode("utf-8")) + 1


def from_clangd(clangd, file):
    lines = open(file, encoding="utf-8").read().splitlines()
    found = set()
    for diagnostic in clangd.diagnostics(file):
        check = str(diagnostic.get("code", ""))
        if diagnostic["severity"] == 1 and not check.startswith("async-"):
            sys.exit(f"clangd cannot parse {file}: {diagnostic['message']}")
        if not check.startswith("async-"):
            continue
        start = diagnostic["range"]["start"]
        # Notes and "(fix available)" follow the message in the same text.
        message = diagnostic["message"].splitlines()[0]
        message = re.sub(r" \((fix|fixes) available\)$", "", message)
        found.add((start["line"] + 1, utf8_column(lines, start), check,
                   message[0].lower() + message[1:]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("async-tidy", "async-clangd", "clang-tidy", "plugin", "clang",
                 "project", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--clangd-config", default="",
                        help="text of a .clangd file")
    args = parser.parse_args()

    # A copy, so that .clangd and the database are the test's own.
    project = os.path.realpath(args.work)
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(args.project, project)
    with open(os.path.join(project, ".clang-tidy"), "w") as out:
        out.write("Checks: '-*,async-*'\nHeaderFilterRegex: '.*'\n")
    if args.clangd_config:
        with open(os.path.join(project, ".clangd"), "w") as out:
            out.write(args.clangd_config)
    subprocess.run(["cmake", "-S", project, "-B", project + "/build", "-G",
                    "Ninja", "-DCMAKE_CXX_COMPILER=" + args.clang,
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"],
                   check=True, stdout=subprocess.DEVNULL)

    files = sorted(os.path.join(project, f) for f in os.listdir(project)
                   if f.endswith(".cpp"))
    if not files:
        sys.exit("no files in " + project)
    total, differences = 0, 0
    with Clangd(args.async_clangd, project,
                "--compile-commands-dir=" + project + "/build") as clangd:
        for file in files:
            found = {
                "plugin": from_text([args.clang_tidy, "-load=" + args.plugin,
                                     "--quiet", "-p", project + "/build"], file),
                "async-tidy": from_text(
                    [args.async_tidy, "-p", project + "/build"], file),
                "async-clangd": from_clangd(clangd, file),
            }
            total += len(found["plugin"])
            for finding in sorted(set.union(*found.values())):
                missing = [s for s, f in found.items() if finding not in f]
                if missing:
                    differences += 1
                    print(f"{file}:{finding[0]}:{finding[1]}: {finding[3]} "
                          f"[{finding[2]}]: not from {', '.join(missing)}")
    print(f"{len(files)} files, {total} findings, {differences} differences")
    # Equal because nothing was found at all would prove nothing.
    return 0 if total and not differences else 1


if __name__ == "__main__":
    sys.exit(main())
