"""tidy.py TOP FOLDER [file...]: runs clang-tidy; see the script tidy.

A file that was clean is remembered by the hash of everything clang-tidy would read: the
preprocessed text with its comments (which may hold NOLINT), the command, and the configuration.
The memory is shared by all checkouts.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

TIDY = "clang-tidy-19"
FORGET_AFTER_DAYS = 30
# Of C++ files, wherever they are: all of them include LLVM's headers.
CXX_CONFIGURATION = "compiler/.clang-tidy"


def memory_folder():
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = pathlib.Path(cache) / "ka" / "tidy"
    folder.mkdir(parents=True, exist_ok=True)
    oldest = time.time() - FORGET_AFTER_DAYS * 24 * 3600
    for entry in folder.iterdir():
        if entry.stat().st_mtime < oldest:
            entry.unlink(missing_ok=True)
    return folder


def compiler_arguments(entry):
    """The entry's command without launcher, output and dependency options."""
    arguments = shlex.split(entry["command"])
    while os.path.basename(arguments[0]) == "ccache":
        arguments.pop(0)
    kept = []
    skip = False
    for argument in arguments:
        if skip:
            skip = False
        elif argument in ("-o", "-MF", "-MT", "-MQ"):
            skip = True
        elif argument not in ("-c", "-MD", "-MMD"):
            kept.append(argument)
    return kept


def key(entry, configuration, top):
    arguments = compiler_arguments(entry)
    text = subprocess.run(
        arguments + ["-E", "-C", "-P"], cwd=entry["directory"], capture_output=True, check=False
    )
    if text.returncode != 0:
        return None  # clang-tidy will say what is wrong
    digest = hashlib.sha256(configuration)
    digest.update(" ".join(arguments).replace(top, "").encode())
    digest.update(text.stdout.replace(top.encode(), b""))
    return digest.hexdigest()


def check(entry, folder, configuration, top, memory):
    known = key(entry, configuration, top)
    if known and (memory / known).exists():
        os.utime(memory / known)
        return True, "", True
    command = [TIDY, "--quiet", "-p", folder, entry["file"]]
    if entry["file"].endswith(".cpp"):
        command.insert(1, "--config-file=" + os.path.join(top, CXX_CONFIGURATION))
    result = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if result.returncode == 0:
        if known:
            (memory / known).touch()
        return True, "", False
    return False, result.stdout or result.stderr, False


def main():
    top, folder, *names = sys.argv[1:]
    wanted = {os.path.abspath(name) for name in names}
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as database:
        entries = json.load(database)
    chosen = {}
    for entry in entries:
        path = os.path.abspath(os.path.join(entry["directory"], entry["file"]))
        ours = path.startswith(top + "/") and not path.startswith(os.path.abspath(folder) + "/")
        if path in wanted if wanted else ours:
            chosen.setdefault(path, entry)
    if missing := wanted - set(chosen):
        sys.exit("tidy: not compiled by the build: " + " ".join(sorted(missing)))

    configurations = (pathlib.Path(top) / name for name in (".clang-tidy", CXX_CONFIGURATION))
    configuration = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    configuration += b"".join(path.read_bytes() for path in configurations)
    configuration += pathlib.Path(__file__).read_bytes()
    memory = memory_folder()

    failed = []
    remembered = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(
            lambda item: (item[0], *check(item[1], folder, configuration, top, memory)),
            sorted(chosen.items()),
        )
        for path, clean, output, known in results:
            remembered += known
            if not clean:
                failed.append(os.path.relpath(path, top))
                print(output, end="", flush=True)
    print(f"tidy: {len(chosen)} files, {remembered} of them known to be clean, {len(failed)} not clean")
    if failed:
        sys.exit("tidy: not clean: " + " ".join(failed))


main()
