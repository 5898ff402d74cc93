"""every_check.py SOURCES LISTED: holds the checks that are listed against those
that have a page in docs/checks, stand in its index, and have a lit test."""

import pathlib
import re
import sys

sources, listed = map(pathlib.Path, sys.argv[1:])
names = set(re.findall(r"^    (async-\S+)$", listed.read_text(), re.M))
pages = {page.stem for page in (sources / "docs/checks").glob("*.md")}
index = set(re.findall(r"\(checks/(async-[a-z-]+)\.md\)",
                       (sources / "docs/README.md").read_text()))
flags, silent = set(), set()
for test in (sources / "test").rglob("*.cpp"):
    text = test.read_text()
    for checks in re.findall(r"RUN: .*%check \S+ (\S+)", text):
        for name in checks.split(","):
            expected = re.search(r"CHECK-(?:MESSAGES|NOTES).*\[" + name + r"\]",
                                 text)
            (flags if expected else silent).add(name)

wrong = [f"{name}: {what}" for what, found in (
    ("no page docs/checks/NAME.md", pages),
    ("not in the table of docs/README.md", index),
    ("no lit test that expects a finding", flags))
    for name in sorted(names - found)]
wrong += [f"{name}: documented, but no check" for name in sorted(
    (pages | index) - names)]
if not names:
    wrong.append(f"no checks in {listed}")
for page in sorted(pages & names):
    text = (sources / "docs/checks" / (page + ".md")).read_text()
    if not text.startswith("# " + page):
        wrong.append(f"{page}: its page does not begin with its name")
print("\n".join(wrong))
sys.exit(bool(wrong))
