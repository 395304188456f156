"""Checks that tests can let every allocation of libka fail: allocations_listed.py <nm> <library>
with the library whose allocating calls are renamed. What it calls and could allocate by itself must
be renamed too."""

import re
import subprocess
import sys

ALLOCATE = re.compile(
    r"^_*(malloc|calloc|realloc|reallocarray|aligned_alloc|memalign|posix_memalign|valloc|pvalloc"
    r"|strdup|strndup|asprintf|vasprintf|open_memstream|fmemopen|fopen|fopen64|fdopen|getline"
    r"|getdelim|opendir|scandir|realpath|getcwd|tmpfile|mmap|mmap64|pthread_create"
    r"|pthread_key_create|pthread_setspecific|dlopen|setenv|putenv|regcomp|getaddrinfo|tsearch"
    r"|open|open64|openat|read|hcreate|thrd_create|tss_create|tss_set|sem_open|timer_create|backtrace_symbols)$")

listing = subprocess.run([sys.argv[1], "-u", sys.argv[2]], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
names = {line.split()[-1] for line in listing.splitlines() if " U " in line}
if "faulty_malloc" not in names:
    sys.exit("the library's calls of malloc are not renamed")
missing = sorted(name for name in names if ALLOCATE.match(name))
if missing:
    sys.exit("libka calls these, and no test lets them fail: " + ", ".join(missing) + "; add them to "
             "faulty_functions in test/runtime/CMakeLists.txt and to support/faulty_allocator.c")
