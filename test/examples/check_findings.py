r"""Lints every file of the examples and compares with expected-findings.txt.

    check_findings.py --examples FOLDER --expected FILE --page FILE \
        -- LINTER [ARGUMENT ...]

LINTER is run once a file as `LINTER ... FILE -- FLAGS` and prints clang-style
text. Findings are matched by function and by the text of their line, so that
editing the examples does not shift the expectations. PAGE is documentation that
quotes the findings: exactly these, though line numbers may have moved.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

FLAGS = ["-std=c++20", "-DBOOST_ASIO_SEPARATE_COMPILATION"]
FINDING = re.compile(r"^(.+?):(\d+):\d+: (?:warning|error): (.*) \[([\w.,-]+)\]$")

Finding = collections.namedtuple("Finding", "file function check text")
Place = collections.namedtuple("Place", "file line message")


def function_at(lines, number):
    """The name of the function that line `number` (from 1) is in.

    A definition starts at the margin, after a comment or an empty line; its
    name is what stands before the first parenthesis, without the scope.
    """
    head, before = [], ""
    for line in lines[:number]:
        if line[:1].isalpha() and (not before or before.startswith("//")):
            head = []
        head.append(line)
        before = line
    match = re.search(r"(\w+)\(", " ".join(head))
    return match.group(1) if match else "?"


def lint(linter, path):
    run = subprocess.run([*linter, str(path), "--", *FLAGS],
                         capture_output=True, text=True)
    found, errors = {}, []
    if run.returncode not in (0, 1):
        errors.append(f"{path.name}: exit status {run.returncode}\n{run.stderr}")
    for line in run.stdout.splitlines():
        match = FINDING.match(line)
        if not match:
            continue
        file, number = pathlib.Path(match.group(1)), int(match.group(2))
        lines = file.read_text().splitlines()
        found[Place(file.name, number, match.group(3))] = Finding(
            file.name, function_at(lines, number), match.group(4),
            lines[number - 1].strip())
    return found, errors


def main():
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("--examples", type=pathlib.Path, required=True)
    parser.add_argument("--expected", type=pathlib.Path, required=True)
    parser.add_argument("--page", type=pathlib.Path, required=True)
    options = parser.parse_args(sys.argv[1:split])
    linter = sys.argv[split + 1:]

    expected = collections.Counter(
        Finding(*(part.strip() for part in line.split(" | ")))
        for line in options.expected.read_text().splitlines()
        if line and not line.startswith("#"))

    sources = sorted(options.examples.glob("*.cpp"))
    assert sources, f"nothing to lint in {options.examples}"
    found, errors = {}, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for some, bad in pool.map(lambda path: lint(linter, path), sources):
            found |= some  # a finding in a header is seen from several files
            errors += bad
    actual = collections.Counter(found.values())

    for finding in expected - actual:
        errors.append("missing: " + " | ".join(finding))
    for finding in actual - expected:
        errors.append("not expected: " + " | ".join(finding))

    said = {(place.file, place.message) for place in found}
    quoted = {(pathlib.Path(match.group(1)).name, match.group(3))
              for match in map(FINDING.match,
                               options.page.read_text().splitlines()) if match}
    for file, message in said - quoted:
        errors.append(f"not in {options.page}: {file}: {message}")
    for file, message in quoted - said:
        errors.append(f"only in {options.page}: {file}: {message}")
    print("\n".join(errors) or f"{sum(actual.values())} findings, as expected")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
