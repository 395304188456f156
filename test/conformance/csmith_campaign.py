#!/usr/bin/env python3
"""Runs csmith's programs of many seeds as kernels, and keeps a record.

    csmith_campaign.py --seeds 1000-2999 --log FILE [--keep FOLDER] [--include FOLDER]
    csmith_campaign.py --program SEED... > program.c

A seed decides which of csmith's options and which level of optimisation a program gets. Each has one
line in the record: seed, options, level, size, outcome, what was said. Seeds that have a line are left
out, so a campaign that was interrupted goes on. Programs whose outcome is a fault stay in the
folder. Without seeds the record is summed up. The second form makes one program of several seeds.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SMALL = "--max-block-size 3 --max-block-depth 3 --max-expr-complexity 6"
MIXES = {
    "plain": SMALL,
    "structs": f"{SMALL} --max-struct-fields 14 --max-struct-nested-level 4 --max-funcs 6",
    "unions": f"{SMALL} --max-union-fields 9 --no-packed-struct --max-funcs 7",
    "pointers": f"{SMALL} --max-pointer-depth 5 --max-array-dim 3 --max-array-len-per-dim 6",
    "builtins": f"{SMALL} --builtins --builtin-function-prob 40 --disable-builtin-kinds x86",
    "floats": f"{SMALL} --float",
    "deep": "--max-block-size 2 --max-block-depth 6 --max-expr-complexity 4 --max-funcs 5",
    "expressions": "--max-block-size 2 --max-block-depth 2 --max-expr-complexity 16 --max-funcs 6",
    "calls": "--max-funcs 25 --max-block-size 2 --max-block-depth 2 --max-expr-complexity 4 --inline-function",
    "narrow": f"{SMALL} --no-longlong --no-math64 --no-volatiles --no-const-pointers",
    "default": "",
}
LEVELS = ["-O2", "-O1", "-O3", "-O0"]
# Outcomes that say nothing about ka: the program itself, on the host, is slow or ends in a fault.
NO_FAULT = {"same", "slow on the host", "fault on the host"}


def run(command, seconds, **more):
    """(status or None if it took too long, what it printed)"""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", start_new_session=True, **more)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        return None, process.communicate()[0]


def options_of(seed):
    """(name of the mix, csmith's options, level of optimisation)"""
    name = list(MIXES)[seed % len(MIXES)]
    return name, MIXES[name].split(), LEVELS[seed // len(MIXES) % len(LEVELS)]


def generate(seed, source):
    # csmith leaves a file in the folder where it runs.
    command = ["csmith", "--seed", str(seed), *options_of(seed)[1], "--output", source]
    return run(command, 30, cwd=source.parent)[0] == 0


def first_error(output):
    found = re.search(r"(error|Assertion|differ|expected|signal|UNREACHABLE).*", output)
    return (found[0] if found else output.strip().split("\n")[-1])[:160].replace("\t", " ")


def attempt(seed, include, folder):
    """(size of csmith's program, outcome, what was said)"""
    source, kernel, program = folder / f"{seed}.c", folder / f"{seed}-kernel.c", folder / f"{seed}"
    if not generate(seed, source):
        return 0, "csmith gave up", ""
    size = source.stat().st_size
    with open(kernel, "w") as file:
        convert = subprocess.run([sys.executable, HERE / "csmith_kernel.py", source], stdout=file,
                                 stderr=subprocess.PIPE, text=True)
    if convert.returncode:
        return size, "not converted", convert.stderr.strip().split("\n")[-1]
    # A float that csmith converts to an integer may lie outside of it.
    command = ["kacc", "-w", options_of(seed)[2], "-fwrapv", "-ffp-contract=off", "-fno-strict-float-cast-overflow",
               f"-I{include}", f"-I{HERE}", kernel, "-o", program, "-lm"]
    status, output = run(command, 60)
    if status is None:
        return size, "slow to compile", ""
    if status != 0:
        crashed = status < 0 or "PLEASE submit" in output or "Stack dump" in output
        return size, "compiler crashed" if crashed else "refused", first_error(output)
    status, output = run([program, "host"], 3)
    if status is None:
        return size, "slow on the host", ""
    if status != 0:
        return size, "fault on the host", ""
    environment = dict(os.environ, POCL_CACHE_DIR=str(folder / "cache"))
    status, output = run([program], 60, env=environment)
    if status is None:
        return size, "slow on the device", ""
    if status == 0:
        return size, "same", ""
    if "checksum of" in output:
        return size, "differs", first_error(output)
    return size, "failed", f"status {status}: " + first_error(output)


def campaign(arguments):
    first, _, last = arguments.seeds.partition("-")
    done = set()
    if arguments.log.exists():
        done = {int(line.split("\t")[0]) for line in arguments.log.read_text().splitlines()}
    for seed in range(int(first), int(last or first) + 1):
        if seed in done:
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            size, outcome, said = attempt(seed, arguments.include, folder)
            if outcome not in NO_FAULT and arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                for source in folder.glob("*.c"):
                    (arguments.keep / source.name).write_text(source.read_text())
        name, _, level = options_of(seed)
        with open(arguments.log, "a") as log:
            log.write(f"{seed}\t{name}\t{level}\t{size}\t{outcome}\t{said}\n")


def one_program(seeds):
    with tempfile.TemporaryDirectory() as folder:
        sources = [pathlib.Path(folder) / f"seed-{seed}.c" for seed in seeds]
        for seed, source in zip(seeds, sources):
            if not generate(seed, source):
                sys.exit(f"csmith made no program of seed {seed}")
        subprocess.run([sys.executable, HERE / "csmith_kernel.py", *sources], check=True)


def summary(log):
    lines = [line.split("\t") for line in log.read_text().splitlines()]
    outcomes = collections.Counter(line[4] for line in lines)
    print(f"{len(lines)} programs, {sum(int(line[3]) for line in lines) // 1024} KiB")
    for outcome, count in outcomes.most_common():
        print(f"{count:6} {outcome}")
    for line in lines:
        if line[4] not in NO_FAULT:
            print("\t".join(line))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds")
    parser.add_argument("--program", type=int, nargs="+")
    parser.add_argument("--log", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--include", default=HERE, help="where another csmith.h is")
    arguments = parser.parse_args()
    if arguments.program:
        one_program(arguments.program)
        return
    if not arguments.log:
        parser.error("the record needs --log")
    if arguments.seeds:
        campaign(arguments)
    summary(arguments.log)


if __name__ == "__main__":
    main()
