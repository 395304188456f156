"""Checks the Markdown pages of the tree.

pages.py links TOP                every relative link leads to a file, and to a heading in it
pages.py programs TOP KACC WORK   every C program shown (a block with main) compiles and runs
pages.py declarations TOP         every declaration of ka's that is shown is one of the headers
pages.py commands TOP WORK        README's shell commands work in a fresh copy of the tree, and so does
                                  what the demo says comes next
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
# README's command for the tests is this one; here it only lists them, or it would run itself.
TEST_COMMAND = "tools/dev/test"
DEMO_COMMAND = "tools/dev/demo"


def tree_files(top, *patterns):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=top,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        names = filter(None, listed.stdout.split("\0"))
        return sorted(top / name for name in names if (top / name).is_file())
    # An unpacked archive: all but what was built.
    found = (path for pattern in patterns or ["*"] for path in top.rglob(pattern))
    return sorted(p for p in found if p.is_file() and p.relative_to(top).parts[0] != "build")


def without_code(text):
    text = BLOCK.sub("", text)
    text = re.sub(r"(?:^|\n\n)(?: {4}.*\n)+", "\n", text)
    return re.sub(r"`[^`\n]*`", lambda code: code.group().replace("[", " "), text)


def anchors(page):
    """GitHub's names of a page's headings."""
    names = set()
    for heading in re.findall(r"^#+ +(.*)$", BLOCK.sub("", page.read_text()), re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        while name in names:
            name += "-1"
        names.add(name)
    return names


def check_links(top):
    wrong = []
    count = 0
    for page in tree_files(top, "*.md"):
        for match in LINK.finditer(without_code(page.read_text())):
            link = match.group(1) or match.group(2)
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists():
                wrong.append(f"{page.relative_to(top)}: {link}: there is no such file")
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                wrong.append(f"{page.relative_to(top)}: {link}: there is no such heading")
    print(f"{count} links")
    return wrong


def declarations(text):
    """What is declared in C text, each on one line."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
    found = re.findall(
        r"^(?:KA_API )?((?:typedef )?(?!return)(?:\w+ )+\**ka_\w+\([^;{}]*\));", text, re.MULTILINE
    )
    return [re.sub(r"\s+", " ", declaration) for declaration in found]


def check_declarations(top):
    declared = set()
    for header in tree_files(top, "include/ka/*.h"):
        declared.update(declarations(header.read_text()))
    wrong = []
    count = 0
    for page in tree_files(top, "*.md"):
        for language, text in BLOCK.findall(page.read_text()):
            if language != "c":
                continue
            for declaration in declarations(text):
                count += 1
                if declaration not in declared:
                    wrong.append(f"{page.relative_to(top)}: no header has: {declaration}")
    print(f"{count} declarations, of {len(declared)} in the headers")
    if count == 0:
        wrong.append("no page shows a declaration: was the form of code blocks changed?")
    return wrong


def check_programs(top, kacc, work):
    wrong = []
    count = 0
    for page in tree_files(top, "*.md"):
        page_text = page.read_text()
        for number, block in enumerate(BLOCK.finditer(page_text)):
            language, text = block.groups()
            if language != "c" or not re.search(r"\bint main\(", text):
                continue
            count += 1
            name = f"{page.relative_to(top)}, block {number + 1}"
            source = work / f"{str(page.relative_to(top)).replace('/', '_')}_{number + 1}.c"
            source.write_text(text)
            program = source.with_suffix("")
            # The libraries are those of the command shown below the program.
            shown = re.match(r"\n+ {4}\$ kacc (.*)", page_text[block.end() :])
            libraries = re.findall(r"(?<= )-l\w+", shown.group(1)) if shown else []
            command = [kacc, "-O2", "-Wall", str(source), "-o", str(program), *libraries]
            for step in (command, [str(program)]):
                result = subprocess.run(
                    step, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
                )
                if result.returncode != 0 or "warning:" in result.stdout:
                    wrong.append(f"{name}: {' '.join(step)}: {result.returncode}\n{result.stdout}")
                    break
    print(f"{count} programs")
    if count == 0:
        wrong.append("no page shows a program: was the form of code blocks changed?")
    return wrong


def run(command, folder, environment):
    """Shows what the command prints, and returns its status and standard output."""
    process = subprocess.Popen(
        command, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )
    output = []
    for line in process.stdout:
        print(line, end="", flush=True)
        output.append(line)
    return process.wait(), "".join(output)


def check_next(output, top, copy, environment):
    """Does what the demo's last line says, with README's program."""
    last = output.splitlines()[-1]
    steps = re.fullmatch(r"next: (.*), then (kacc .*yours\.c -o yours)", last)
    if not steps:
        return [f"the demo's last line does not say what comes next: {last}"]
    before, compile_it = steps.groups()
    language, program = BLOCK.findall((top / "README.md").read_text())[0]
    assert language == "c"
    (copy / "yours.c").write_text(program)
    commands = f"{compile_it} && ./yours && ka-info >ka-info.txt"
    # A shell that was entered takes the rest as its input.
    command = f"{before} && {commands}" if "=" in before else f"echo '{commands}' | {before}"
    print(f"$ {command}", flush=True)
    status, output = run(command, copy, environment)
    if status != 0 or "y[10] = 21" not in output:
        return [f"{command}: exit status {status}, output {output!r}"]
    return []


def check_commands(top, work):
    commands = []
    for language, text in BLOCK.findall((top / "README.md").read_text()):
        if language == "sh":
            commands += [line for line in text.splitlines() if line.startswith("tools/")]
    commands = [re.sub(r"\s+#.*", "", command) for command in commands]
    wrong = [
        f"README.md does not show the command {command}"
        for command in (DEMO_COMMAND, TEST_COMMAND)
        if command not in commands
    ]
    copy = work / "copy"
    for path in tree_files(top):
        target = copy / path.relative_to(top)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target, follow_symlinks=False)
    # README's commands know no other preset; HOME is where they install.
    environment = {k: v for k, v in os.environ.items() if k not in ("KA_BUILD_DIR", "KA_PRESET")}
    home = work / "home"
    home.mkdir()
    for command in commands:
        if command == TEST_COMMAND:
            command += " --show-only"
        print(f"$ {command}", flush=True)
        here = {**environment, "HOME": str(home)} if "$HOME" in command else environment
        status, output = run(command, copy, here)
        if status != 0:
            wrong.append(f"{command}: exit status {status}")
        elif command == DEMO_COMMAND:
            wrong += check_next(output, top, copy, environment)
    status, _ = run(f"tools/dev/enter {home}/ka/bin/kacc --ka-version", copy, environment)
    if status != 0:
        wrong.append(f"the installed kacc does not run: exit status {status}")
    # The copy is as large as a build; only a failed one is worth keeping.
    if not wrong:
        shutil.rmtree(copy)
    return wrong


def empty(folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def main():
    what, top, *rest = sys.argv[1:]
    top = pathlib.Path(top).resolve()
    if what == "links":
        wrong = check_links(top)
    elif what == "programs":
        wrong = check_programs(top, rest[0], empty(rest[1]))
    elif what == "declarations":
        wrong = check_declarations(top)
    elif what == "commands":
        wrong = check_commands(top, empty(rest[0]))
    else:
        sys.exit(__doc__)
    for text in wrong:
        print(text)
    sys.exit(bool(wrong))


main()
