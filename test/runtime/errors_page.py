"""Checks docs/reference/errors.md against KA_STATUS_LIST: errors_page.py <ka.h> <errors.md>."""

import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    header = file.read()
with open(sys.argv[2], encoding="utf-8") as file:
    page = file.read()

statuses = re.search(r"#define KA_STATUS_LIST\(X\)(.*?)\n\n", header, re.S)[1]
declared = [("KA_" + name, text) for name, text in re.findall(r'X\((\w+),\s*"([^"]*)"\)', statuses)]
described = re.findall(r"^\| `(KA_\w+)` \| ([^|]*) \|([^|]*)\|([^|]*)\|$", page, re.M)

if not declared:
    sys.exit("no status was found in the header")
for i in range(max(len(declared), len(described))):
    left = declared[i] if i < len(declared) else ("nothing", "")
    right = described[i][:2] if i < len(described) else ("nothing", "")
    if left != right:
        sys.exit(f"row {i + 1}: the header has {left}, the page has {right}")
for name, _, causes, remedy in described:
    if name != "KA_OK" and not remedy.strip():
        sys.exit(f"{name} has no remedy")
