"""inlined_functions.py PROGRAM NM: whether PoCL leaves calls of built-in functions in a kernel.

PoCL keeps each kernel that it has compiled as a shared library in its cache. A built-in function
that was not inlined is a symbol in there.
"""

import os
import pathlib
import subprocess
import sys
import tempfile


def symbols(program, nm, **variables):
    """The functions that lie beside the kernels when the program runs with these variables."""
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(os.environ, POCL_CACHE_DIR=cache, **variables)
        status = subprocess.run([program], env=environment).returncode
        if status:
            sys.exit(status)  # a failure, or skipped for lack of a device
        kernels = sorted(pathlib.Path(cache).rglob("*.so"))
        if not kernels:
            print("skipped: the driver keeps no compiled kernels as PoCL does")
            sys.exit(77)
        names = set()
        for kernel in kernels:
            lines = subprocess.check_output([nm, kernel], text=True).splitlines()
            names |= {words[2] for words in map(str.split, lines) if words[1:2] in (["t"], ["T"])}
        return {name for name in names if not name.startswith("_pocl_kernel_")}


program, nm = sys.argv[1:]
os.environ.pop("POCL_LLVM_ALWAYS_INLINE", None)
# The user's word stands, and shows that calls can be seen where there are some.
if not symbols(program, nm, POCL_LLVM_ALWAYS_INLINE="0"):
    sys.exit("no calls are found with POCL_LLVM_ALWAYS_INLINE=0: this test sees nothing")
left = symbols(program, nm)
if left:
    sys.exit("not inlined: " + ", ".join(sorted(left)))
