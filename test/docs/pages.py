"""Checks the Markdown pages of the tree.

pages.py links TOP                every relative link leads to a file, and to a heading in it
pages.py programs TOP KACC WORK   every C program shown (a block with main) compiles and runs
pages.py commands TOP WORK        README's shell commands work in a fresh copy of the tree
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


def check_programs(top, kacc, work):
    wrong = []
    count = 0
    for page in tree_files(top, "*.md"):
        for number, (language, text) in enumerate(BLOCK.findall(page.read_text())):
            if language != "c" or not re.search(r"\bint main\(", text):
                continue
            count += 1
            name = f"{page.relative_to(top)}, block {number + 1}"
            source = work / f"{str(page.relative_to(top)).replace('/', '_')}_{number + 1}.c"
            source.write_text(text)
            program = source.with_suffix("")
            command = [kacc, "-O2", "-Wall", str(source), "-o", str(program), "-lm"]
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


def check_commands(top, work):
    commands = []
    for language, text in BLOCK.findall((top / "README.md").read_text()):
        if language == "sh":
            commands += [line for line in text.splitlines() if line.startswith("tools/")]
    commands = [re.sub(r"\s+#.*", "", command) for command in commands]
    wrong = [
        f"README.md does not show the command {command}"
        for command in ("tools/dev/demo", TEST_COMMAND)
        if command not in commands
    ]
    copy = work / "copy"
    for path in tree_files(top):
        target = copy / path.relative_to(top)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target, follow_symlinks=False)
    environment = {k: v for k, v in os.environ.items() if k != "KA_BUILD_DIR"}
    for command in commands:
        if command == TEST_COMMAND:
            command += " --show-only"
        print(f"$ {command}", flush=True)
        status = subprocess.run(command, shell=True, cwd=copy, env=environment, check=False)
        if status.returncode != 0:
            wrong.append(f"{command}: exit status {status.returncode}")
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
    elif what == "commands":
        wrong = check_commands(top, empty(rest[0]))
    else:
        sys.exit(__doc__)
    for text in wrong:
        print(text)
    sys.exit(bool(wrong))


main()
