#!/usr/bin/env python3
"""Runs random_traps.py's programs of many seeds, and keeps a record.

    random_traps_campaign.py --seeds 1000-1999 --log FILE [--keep FOLDER] [--build FOLDER] [--options=-O2]

Ten seeds are one program, at one of four levels, in turn, one in four with clang's check of divisions;
or with the options given. kacc comes from the build folder, else from PATH. What a program says is one line of
the record for each kernel: seed, options, outcome, what was said. Programs that have a line are left out, so
a campaign that was interrupted goes on. A kernel that hangs (no launch may take longer than --seconds) or
crashes is left behind, and its program goes on with the next one.
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
DIVISION = "-fsanitize=integer-divide-by-zero -fsanitize-trap=all -DDIVISION_TRAPS"
SEEDS = 10


def compiled(kacc, source, options, program):
    command = [kacc, "-w", "-fwrapv", "-ffp-contract=off", *options.split(), f"-I{HERE}", source, "-o", program]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    except subprocess.TimeoutExpired:
        return "not within 240 s"
    return done.stderr if done.returncode else None


def run(program, environment, first, geometries):
    """(faults by seed, the kernel that ended the process, what is wrong otherwise)"""
    try:
        done = subprocess.run([program, str(first), str(geometries)], capture_output=True, text=True, timeout=3600,
                              env=environment)
    except subprocess.TimeoutExpired:
        return {}, None, "the program does not end"
    faults = {}
    for how, seed, text in re.findall(r"^(hangs: |crashes: )?kernel_(\d+), (.*(?:\n  .*)*)", done.stderr, re.M):
        if how or int(seed) not in faults:
            faults[int(seed)] = how + text
    begun = re.findall(r"kernel_(\d+) begins", done.stdout)
    if re.search(r"\d+ launches, ", done.stdout) and done.returncode in (0, 1):
        return faults, None, None
    if not begun:
        return faults, None, f"status {done.returncode}: {done.stderr[-500:]}"
    ended = int(begun[-1])
    if not faults.get(ended, "").startswith(("hangs", "crashes")):
        faults[ended] = f"crashes: status {done.returncode}: {done.stderr[-500:]}"
    return faults, ended, None


def attempt(arguments, seed, options, folder):
    """Lines of the record."""
    source, program = folder / f"traps-{seed}.c", folder / "program"
    with open(source, "w") as file:
        subprocess.run([sys.executable, HERE / "random_traps.py", str(seed), str(SEEDS)], stdout=file, check=True)
    kacc = arguments.build / "bin" / "kacc" if arguments.build else "kacc"
    error = compiled(kacc, source, options, program)
    environment = dict(os.environ, POCL_CACHE_DIR=str(folder / "cache"), LAUNCH_SECONDS=str(arguments.seconds))
    lines, first = [], 0
    if error:
        lines.append((seed, "not compiled", error))
    while not error and first is not None and first < SEEDS:
        faults, ended, error = run(program, environment, first, arguments.geometries)
        for number, text in faults.items():
            outcome = text.split(":")[0] if text.startswith(("hangs", "crashes")) else "differs"
            if "did not reach a fixpoint" in text:
                outcome = "PoCL's compiler ended"
            lines.append((number, outcome, text))
        if error:
            lines.append((seed + first, "failed", error))
        first = ended - seed + 1 if ended is not None else None
    if lines and arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
        (arguments.keep / source.name).write_text(source.read_text())
    bad = {number for number, _, _ in lines}
    if not any(outcome == "not compiled" for _, outcome, _ in lines):
        lines += [(number, "same", "") for number in range(seed, seed + SEEDS) if number not in bad]
    return lines


def campaign(arguments):
    first, _, last = arguments.seeds.partition("-")
    done = set()
    if arguments.log.exists():
        done = {tuple(line.split("\t")[:2]) for line in arguments.log.read_text().splitlines()}
    for seed in range(int(first), int(last or first) + 1, SEEDS):
        number = seed // SEEDS
        options = arguments.options or f"-O{number % 4}" + (f" {DIVISION}" if number // 4 % 4 == 3 else "")
        if any((str(k), options) in done for k in range(seed, seed + SEEDS)):
            continue
        with tempfile.TemporaryDirectory() as folder:
            lines = attempt(arguments, seed, options, pathlib.Path(folder))
        with open(arguments.log, "a") as log:
            for number, outcome, said in sorted(lines):
                log.write(f"{number}\t{options}\t{outcome}\t{' '.join(said.split())[:600]}\n")
                if outcome != "same":
                    print(f"{number} {options} {outcome}: {said[:600]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", required=True)
    parser.add_argument("--log", type=pathlib.Path, required=True)
    parser.add_argument("--keep", type=pathlib.Path, help="where programs go that show a fault")
    parser.add_argument("--build", type=pathlib.Path, help="build folder, as build/release")
    parser.add_argument("--options", help="options of kacc, for all programs")
    parser.add_argument("--geometries", type=int, default=3, help="ranges of each kernel")
    parser.add_argument("--seconds", type=int, default=60, help="how long a launch may take")
    arguments = parser.parse_args()
    campaign(arguments)
    outcomes = collections.Counter(line.split("\t")[2] for line in arguments.log.read_text().splitlines())
    for outcome, count in outcomes.most_common():
        print(f"{count:6} kernels: {outcome}")


if __name__ == "__main__":
    main()
