"""Checks the table of docs/guide/from-plain-c.md for readers who come from OpenCL C or CUDA: the
compiler answers each of their words with what ka has in its place.

porting_table.py TOP KACC WORK
"""

import pathlib
import re
import subprocess
import sys

HEADER = "| OpenCL C | CUDA | Here |"
# Words of C, and names that the table makes up.
C = {"void", "int", "float", "extern", "return"} | set("abckntpix") | {"groups", "old"}
# Functions that the table shows without arguments.
CALLS = {"dot", "mad", "clEnqueueNDRangeKernel", "clSetKernelArg"}
OTHER_USES = {
    "<<<": "void bounded(int *p); void launch(void) { bounded<<<1, 64>>>(0); }",
    "reqd_work_group_size": "__attribute__((reqd_work_group_size(64, 1, 1))) void sized(void);",
    "__launch_bounds__": "void __launch_bounds__(64) bounded(int *p) {}",
}


def foreign_code(page):
    """Yields the code of the first two columns."""
    lines = page.read_text().splitlines()
    for line in lines[lines.index(HEADER) + 2 :]:
        if not line.startswith("|"):
            break
        for cell in line.split("|")[1:3]:
            yield from re.findall(r"`([^`]*)`", cell)


def use(word, code):
    """A line that uses the word as its language does."""
    if word in OTHER_USES:
        return OTHER_USES[word]
    if word in CALLS or re.search(rf"\b{word}\(", code):
        return f"int use_{word}(int *p) {{ return {word}(p, 1); }}"
    return f"{word} int v;"


def main():
    top, kacc, work = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    uses = {}
    for code in foreign_code(top / "docs/guide/from-plain-c.md"):
        if "<<<" in code:
            uses["<<<"] = use("<<<", code)
        for word in re.findall(r"(?<![\w.])[A-Za-z_]\w*", code):
            if word not in C:
                uses.setdefault(word, use(word, code))
    source = work / "words.c"
    # Behind this one the parser does not find its way back.
    ordered = sorted(uses, key=lambda word: word == "__launch_bounds__")
    source.write_text("#include <ka/ka.h>\n" + "".join(uses[word] + "\n" for word in ordered))
    wrong = []
    for standard in "c17", "c23":
        result = subprocess.run(
            [kacc, f"-std={standard}", "-fsyntax-only", "-ferror-limit=0", str(source)],
            capture_output=True,
            text=True,
            check=False,
        )
        for number, word in enumerate(ordered, 2):
            said = re.findall(rf"words\.c:{number}:\d+: error: (.*)", result.stderr)
            if not said or not re.search(r"; (in kernels of ka|with ka|it is declared in)", said[0]):
                wrong.append(f"{word}: {said[0] if said else 'no error'} ({standard}: {uses[word]})")
    print(f"{len(uses)} words")
    if len(uses) < 30:
        wrong.append("the table has too few words: was its form changed?")
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
