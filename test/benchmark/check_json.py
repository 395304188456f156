"""Checks the form of what ka-bench --json writes: check_json.py KA-BENCH FILE GROUP..."""
import json
import subprocess
import sys

program, path, groups = sys.argv[1], sys.argv[2], sys.argv[3:]
subprocess.run([program, "--quick", f"--json={path}", *groups], check=True)

KEYS = {
    "group": str,
    "name": str,
    "unit": str,
    "ka": (int, float),
    "peer": (int, float),
    "peer_name": str,
    "ratio": (int, float),
    "bound": (int, float, type(None)),
    "runs": int,
    "spread": (int, float),
}
seen = set()
with open(path) as file:
    for line in file:
        row = json.loads(line)
        assert list(row) == list(KEYS), f"keys are {list(row)}, not {list(KEYS)}"
        for key, kind in KEYS.items():
            assert isinstance(row[key], kind), f"{key} is {row[key]!r} in {line}"
        assert row["ka"] > 0 and row["peer"] > 0 and row["runs"] >= 2, line
        assert abs(row["ratio"] - row["ka"] / row["peer"]) <= 0.01 * row["ratio"], line
        seen.add(row["group"])
assert seen == set(groups), f"groups are {seen}, not {groups}"
print(f"{path}: well formed, groups {sorted(seen)}")
