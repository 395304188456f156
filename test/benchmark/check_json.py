"""Checks the form of what ka-bench --json writes: check_json.py KA-BENCH FILE

A figure is in one of three forms: ka beside a peer, with a bound for their ratio; ka alone, with a
bound for itself; or nothing but the reason why it could not be measured here, as peer_name.
"""
import json
import subprocess
import sys

KEYS = ("group", "name", "unit", "ka", "peer", "peer_name", "ratio", "bound", "runs", "spread")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def faults(row):
    """What is wrong with a line of the file."""
    if tuple(row) != KEYS:
        return [f"keys are {list(row)}, not {list(KEYS)}"]
    wrong = [key for key in ("group", "name", "unit") if not isinstance(row[key], str)]
    if not isinstance(row["runs"], int) or not is_number(row["spread"]):
        wrong.append("runs and spread are numbers")
    if row["ka"] is None:
        if any(row[key] is not None for key in ("peer", "ratio", "bound")):
            wrong.append("there is no figure but a peer, ratio or bound")
        if not isinstance(row["peer_name"], str):
            wrong.append("nothing says why there is no figure")
        return wrong
    if not is_number(row["ka"]) or row["ka"] <= 0:
        wrong.append("ka is not above 0")
    if row["bound"] is not None and not is_number(row["bound"]):
        wrong.append("bound is no number")
    if isinstance(row["runs"], int) and row["runs"] < 2:
        wrong.append("fewer than 2 runs")
    if row["peer_name"] is None:
        if row["peer"] is not None or row["ratio"] is not None:
            wrong.append("a peer without a name")
    elif not all(is_number(row[key]) and row[key] > 0 for key in ("peer", "ratio")):
        wrong.append("peer and ratio are not above 0")
    return wrong


def self_test():
    """Each fault is found in a row that has it."""
    pair = dict(zip(KEYS, ("g", "n", "us", 2.0, 1.0, "p", 2.0, 1.1, 5, 0.1)))
    alone = pair | {"peer": None, "peer_name": None, "ratio": None}
    missing = alone | {"ka": None, "bound": None, "peer_name": "why", "runs": 0, "spread": 0}
    for good in (pair, alone, missing, pair | {"bound": None}):
        assert not faults(good), (good, faults(good))
    for row, change in (
        (pair, {"ratio": None}),
        (pair, {"ka": 0}),
        (pair, {"peer": None}),
        (pair, {"runs": 1}),
        (pair, {"bound": "1.1"}),
        (pair, {"unit": None}),
        (pair, {"more": 1}),
        (alone, {"peer": 1.0}),
        (alone, {"ratio": 1.0}),
        (missing, {"peer_name": None}),
        (missing, {"bound": 1.0}),
    ):
        assert faults(row | change), (row, change)


def main():
    program, path = sys.argv[1:]
    self_test()
    listed = subprocess.run([program, "--list"], check=True, stdout=subprocess.PIPE, text=True)
    groups = [line.split()[0] for line in listed.stdout.splitlines()]
    subprocess.run([program, "--quick", f"--json={path}"], check=True)
    seen, names = [], set()
    with open(path) as file:
        for line in file:
            row = json.loads(line)
            wrong = faults(row)
            assert not wrong, (wrong, line)
            assert (row["group"], row["name"]) not in names, f"twice: {line}"
            names.add((row["group"], row["name"]))
            if row["group"] not in seen:
                seen.append(row["group"])
    assert seen == groups, f"groups are {seen}, not {groups}"
    print(f"{path}: well formed, groups {seen}")


main()
