"""Checks the tables of docs/reference/kernel-language.md: each row says what a kernel may do, since
when, and names the tests that hold it; the functions of the C library are those that the compiler maps.

kernel_language.py TOP
"""

import pathlib
import re
import sys

HEADER = "| Construct | In kernels | Since | Tests |"
# Constructs may hold an escaped bar.
CELL = re.compile(r"(?<!\\)\|")
# What the compiler emits as instructions, so that it is in no table of functions.
INSTRUCTIONS = {"creal", "cimag", "conj"}


def version_of(top):
    text = (top / "include/ka/version.h").read_text()
    return tuple(
        int(re.search(rf"#define KA_VERSION_{part} (\d+)", text)[1]) for part in ("MAJOR", "MINOR")
    )


def tables(lines):
    """Yields the number and cells of each row, and the number alone of a table with another head."""
    inside = None
    for number, line in enumerate(lines, 1):
        if not line.startswith("|"):
            inside = None
        elif inside is None:
            inside = number
            if line != HEADER:
                yield number, None
        elif number > inside + 1:
            yield number, [cell.strip() for cell in CELL.split(line)[1:-1]]


def check_row(cells, version, references):
    if len(cells) != 4:
        return f"{len(cells)} columns"
    _, state, since, tests = cells
    kind = re.match(r"(works|refused|warning)\b", state)
    if not kind:
        return f"'{state}' is none of works, refused, warning"
    number = re.fullmatch(r"(\d+)\.(\d+)", since)
    if kind[1] == "refused":
        if since != "–":
            return "what is refused has no version"
    elif not number or tuple(map(int, number.groups())) > version:
        return f"'{since}' is no version up to this one"
    names = re.findall(r"\[([\w-]+)\]", tests)
    if not names or re.sub(r"\[[\w-]+\]", "", tests).strip():
        return "the last column names tests: [one] [another]"
    unknown = [name for name in names if name not in references]
    return f"no test is called {', '.join(unknown)}" if unknown else None


def check_functions(top, text):
    """The functions that the page lists are those of c_library.cpp's tables."""
    source = (top / "compiler/lowering/c_library.cpp").read_text()
    mapped = set(re.findall(r'\{"(\w+)", Form::', source))
    source = (top / "compiler/lowering/string_functions.cpp").read_text()
    mapped |= set(re.findall(r'\{"(\w+)", Result::', source))
    source = (top / "compiler/lowering/character_functions.cpp").read_text()
    mapped |= set(re.findall(r'"((?:is|to)[a-z]+)"', source))
    section = text[text.index("\n## Library functions\n") :]
    section = section[: section.index("\n## ", 1)]
    listed = set()
    for _, cells in tables(section.splitlines()):
        if cells and cells[1].startswith("works"):
            listed |= set(re.findall(r"`([a-z]\w*)`", " ".join(cells[:2])))
    listed -= INSTRUCTIONS | {"double", "float"}
    mapped = {name for name in mapped if not name.endswith("f_r")}
    wrong = [f"the compiler maps {name}, which the page does not list" for name in mapped - listed]
    return wrong + [f"the page lists {name}, which the compiler does not map" for name in listed - mapped]


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    page = top / "docs/reference/kernel-language.md"
    text = page.read_text()
    references = dict(re.findall(r"^\[([\w-]+)\]: (\S+)$", text, re.MULTILINE))
    wrong = []
    for name, path in references.items():
        target = (page.parent / path).resolve()
        if not target.is_file() or top / "test" not in target.parents:
            wrong.append(f"[{name}] leads to {path}, which is no test")
        if not re.search(rf"\[{name}\](?!:)", text):
            wrong.append(f"[{name}] is not used")
    rows = 0
    for number, cells in tables(text.splitlines()):
        rows += cells is not None
        problem = check_row(cells, version_of(top), references) if cells else f"a table's head is not {HEADER}"
        if problem:
            wrong.append(f"line {number}: {problem}")
    print(f"{rows} rows, {len(references)} tests")
    wrong += check_functions(top, text)
    for problem in wrong:
        print(f"{page.relative_to(top)}: {problem}")
    sys.exit(bool(wrong or rows == 0))


main()
