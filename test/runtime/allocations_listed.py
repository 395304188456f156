"""Checks that tests can let every allocation of libka and libka-task fail:
allocations_listed.py <nm> <library>...
with the libraries whose allocating calls are renamed. What they call and could allocate by itself
must be renamed too. (pthread_mutex_init and pthread_cond_init take nothing without attributes.)"""

import re
import subprocess
import sys

ALLOCATE = re.compile(
    r"^_*(malloc|calloc|realloc|reallocarray|aligned_alloc|memalign|posix_memalign|valloc|pvalloc"
    r"|strdup|strndup|asprintf|vasprintf|open_memstream|fmemopen|fopen|fopen64|fdopen|getline"
    r"|getdelim|opendir|scandir|realpath|getcwd|tmpfile|mmap|mmap64|mprotect|madvise|pthread_create"
    r"|pthread_key_create|pthread_setspecific|pthread_atfork|pthread_getattr_np|pthread_barrier_init"
    r"|pthread_attr_init|dlopen|setenv|putenv|regcomp|getaddrinfo|tsearch|open|open64|openat|read"
    r"|hcreate|thrd_create|tss_create|tss_set|sem_init|sem_open|timer_create|timerfd_create|eventfd"
    r"|epoll_create|epoll_create1|epoll_ctl|pipe|pipe2|socket|socketpair|dup|dup2|memfd_create"
    r"|backtrace_symbols|uv_loop_init|uv_async_init|uv_poll_init|uv_poll_start|uv_timer_start"
    r"|uv_queue_work|uv_thread_create|uv_spawn|uv_fs_\w+|uv_pipe_\w+|uv_tcp_\w+|uv_signal_\w+)$")

for library in sys.argv[2:]:
    listing = subprocess.run([sys.argv[1], "-u", library], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    names = {line.split()[-1] for line in listing.splitlines() if " U " in line}
    if "faulty_calloc" not in names:
        sys.exit("the calls of calloc are not renamed in " + library)
    missing = sorted(name for name in names if ALLOCATE.match(name))
    if missing:
        sys.exit(library + " calls these, and no test lets them fail: " + ", ".join(missing) +
                 "; add them to faulty_functions in test/runtime/CMakeLists.txt and to "
                 "support/faulty_allocator.c")
