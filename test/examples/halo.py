"""Checks the example halo: the same bits from any number of MPI ranks, strips of all sizes, mistakes.

halo.py EXAMPLE MPIEXEC NUMPROC_FLAG; without arguments MPI is missing, and the test is skipped.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

if len(sys.argv) < 4:
    print("skipped: no MPI was found when ka was configured (Debian: libopenmpi-dev, openmpi-bin)")
    sys.exit(77)
example, mpiexec, flag = sys.argv[1:]

# Open MPI 4 and 5: no network, more ranks than cores, all cores for each rank, and root may start them.
environment = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl": "self,sm",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
}


def run(ranks, *arguments, status=0):
    command = [example, *arguments] if ranks == 0 else [mpiexec, flag, str(ranks), example, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert result.returncode == status, (command, result)
    return result


def hash_of(ranks, *arguments):
    text = run(ranks, *arguments).stdout
    assert "matches plain C" in text and f"{ranks or 1} rank" in text, text
    return re.search("hash: +([0-9a-f]{16})", text)[1]


# 0 ranks: without mpiexec. Strips of the same number of rows and of different ones, of one row, of
# two. Starting takes longest, and is mostly waiting.
WIDE, HIGH = ("37", "4", "9"), ("1", "7", "12")
runs = [(0, WIDE), (2, WIDE), (4, WIDE), (0, HIGH), (3, HIGH)]
with concurrent.futures.ThreadPoolExecutor() as pool:
    hashes = dict(zip(runs, pool.map(lambda run: hash_of(run[0], *run[1]), runs)))
assert hashes[0, WIDE] == hashes[2, WIDE] == hashes[4, WIDE] != hashes[0, HIGH], hashes
assert hashes[0, HIGH] == hashes[3, HIGH], hashes

text = run(3, "5", "2", "1", status=1).stderr
assert "3 ranks cannot share 2 rows" in text and "at most 2" in text, text
text = run(0, "5", "0", "1", status=1).stderr
assert "numbers from 1" in text, text
print("halo: 1 to 4 ranks have the same bits, and too many are refused")
