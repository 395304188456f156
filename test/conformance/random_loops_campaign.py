#!/usr/bin/env python3
"""Runs random_loops.py's programs of many seeds, and keeps a record.

    random_loops_campaign.py --seeds 1000-1999 --log FILE [--keep FOLDER] [--levels O0,O2]

Ten seeds are one program, compiled at each of the levels; without --levels at one of the four, in turn. Each
program and level has one line in the record: first seed, level, outcome, what was said. Those that have
a line are left out, so a campaign that was interrupted goes on.
"""
import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LEVELS = ["O0", "O1", "O2", "O3"]
SEEDS = 10


def attempt(source, level, folder):
    """(outcome, what was said)"""
    program = folder / "program"
    command = ["kacc", "-w", f"-{level}", "-ffp-contract=off", f"-I{HERE}", source, "-o", program, "-lm"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode:
            return "not compiled", done.stderr
        environment = dict(os.environ, POCL_CACHE_DIR=str(folder / "cache"))
        done = subprocess.run([program], capture_output=True, text=True, timeout=240, env=environment)
    except subprocess.TimeoutExpired as late:
        return "slow", str(late)
    if done.returncode == 0:
        return "same", ""
    return ("differs" if "element" in done.stderr else "failed"), f"status {done.returncode}: {done.stderr}"


def campaign(arguments):
    first, _, last = arguments.seeds.partition("-")
    done = set()
    if arguments.log.exists():
        done = {tuple(line.split("\t")[:2]) for line in arguments.log.read_text().splitlines()}
    for seed in range(int(first), int(last) + 1, SEEDS):
        levels = arguments.levels.split(",") if arguments.levels else [LEVELS[seed // SEEDS % len(LEVELS)]]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            source = folder / f"loops-{seed}.c"
            with open(source, "w") as file:
                subprocess.run([sys.executable, HERE / "random_loops.py", str(seed), str(SEEDS)], stdout=file, check=True)
            for level in levels:
                if (str(seed), level) in done:
                    continue
                outcome, said = attempt(source, level, folder)
                if outcome != "same" and arguments.keep:
                    arguments.keep.mkdir(parents=True, exist_ok=True)
                    (arguments.keep / source.name).write_text(source.read_text())
                said = " ".join(said.split())[:300]
                with open(arguments.log, "a") as log:
                    log.write(f"{seed}\t{level}\t{outcome}\t{said}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", required=True)
    parser.add_argument("--log", type=pathlib.Path, required=True)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--levels")
    arguments = parser.parse_args()
    campaign(arguments)
    outcomes = collections.Counter(line.split("\t")[2] for line in arguments.log.read_text().splitlines())
    for outcome, count in outcomes.most_common():
        print(f"{count:6} programs of {SEEDS} seeds: {outcome}")


if __name__ == "__main__":
    main()
