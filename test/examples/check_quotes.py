"""What docs/examples.md quotes is what there is.

    check_quotes.py PAGE EXAMPLES OUTPUT

Each C++ block of PAGE stands in a source of EXAMPLES, and the text blocks
together are the chapters of the program's OUTPUT. Numbers and verdicts depend
on the machine and are not compared.
"""

import pathlib
import re
import sys


def machine_independent(text):
    return re.sub(r"\d+(\.\d+)?", "N", re.sub(r": (right|WRONG)$", "", text,
                                              flags=re.M))


page = pathlib.Path(sys.argv[1]).read_text()
sources = [file.read_text() for file in pathlib.Path(sys.argv[2]).glob("*.cpp")]
chapters = pathlib.Path(sys.argv[3]).read_text().strip().split("\n\n")[1:]
blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page, flags=re.M | re.S)
code = [text for kind, text in blocks if kind == "cpp"]
said = [text.strip() for kind, text in blocks if kind == "text"]

assert code and said, "nothing is quoted"
for text in code:
    assert any(text in source for source in sources), "not in examples/:\n" + text
assert ([machine_independent(text) for text in said] ==
        [machine_independent(text) for text in chapters]), (
            "the program says:\n" + "\n\n".join(chapters))
