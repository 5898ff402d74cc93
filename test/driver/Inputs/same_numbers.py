"""same_numbers.py TEXT JSON HTML SECONDS: the text's sum, the JSON's segments and
the widths of the drawn bars say the same, and that is SECONDS."""
import json, re, sys

text, data, page = (open(name, encoding="utf-8").read() for name in sys.argv[1:4])
seconds = float(sys.argv[4])

assert f"can take {seconds:g} s;" in text, text

(finding,) = json.loads(data)["findings"]
line = finding["timeline"]
lengths = [segment["nanoseconds"] for segment in line["segments"]]
assert sum(lengths) == line["totalNanoseconds"] == seconds * 1e9, line
assert finding["message"] in text

# A segment that crosses the budget is two bars in one group.
groups = re.findall(r"<g>(.*?)</g>", page)
widths = [sum(map(float, re.findall(r' width="([\d.]+)"', g))) for g in groups]
assert len(widths) == len(lengths), (widths, lengths)
for width, length in zip(widths, lengths):
    assert abs(width / sum(widths) - length / sum(lengths)) < 1e-3, (widths, lengths)

budget = line["budgetNanoseconds"]
assert (budget is not None) == ('class="budget"' in page)
if budget is not None:
    bars = [(float(x), float(w), kind) for kind, x, w in
            re.findall(r'<rect class="(\w+)" x="([\d.]+)" y="\d+\S*" width="([\d.]+)"', page)]
    over = sum(w for _, w, kind in bars if kind == "over")
    assert abs(over / sum(widths) - (1 - budget / sum(lengths))) < 1e-3, bars
for segment in line["segments"]:
    assert f"{segment['file']}:{segment['line']}" in page
