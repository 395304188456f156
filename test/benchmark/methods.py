"""How each group is measured, beyond the line that ka-bench says of it: for the page."""

METHODS = {
    "kernels": """One launch and the wait for its end. The peer is the same kernel written in OpenCL C by hand, with the
same group size, on the same device, in the same process, so that PoCL treats both alike ([design](design.md#spir-v)). Both must have computed
the same beforehand; each of the twelve kernels of the mean, *saxpy* to *bitonic sort*, also what plain C computes from the same data. *scan* and
*bitonic sort* work within groups of 256, *reduction* makes a sum for each 4096 values. *Mandelbrot* forbids contraction on both sides. The
*geometric mean of 12* is that of their ratios. Ranges are multiples of the group size, and no row is given more than 1.5 s. Rows named after a function of the C library apply it to 1 Mi floats.""",
    "traps": """Each of the twelve kernels of the mean above, and *bilateral*, with one `assert` beside the same source without it, with the same data,
and in turn. Nothing fails. *ids*: a condition on the item's place in the range, as the check of a bound. *data*: one on what the item has loaded or worked out: of
matmul and n-body in each turn of their loop, of histogram and bitonic sort on the result, of the others once
([what is behind the figures](design.md#what-kernels-tell-the-host)). *telling*: of the kernels without barriers, the same beside one with
`if (!condition) return;` instead, which leaves what it costs to tell the host.""",
    "saxpy": """Launch and wait, for each type and for sizes from 64 to 1 Mi. *default*: nobody gives a group size, on both sides the
runtime chooses. *static 1024*: the kernel has that group size; by hand a range below 1024 is rounded up, and the kernel checks its
bound. The bound is one for the geometric mean over the sizes.

*group*: the group size that ka chooses beside all powers of two from 16 to 4096 that the range and the device allow, in rounds of
shuffled order, since a launch finds the driver's threads as the one before left them. The best of nine is partly luck, so the group that
is best in the even rounds is timed by the odd ones, and the other way round; the ratio is the mean of both. `half` needs a
device with 16-bit floating point; PoCL's CPU device has none.""",
    "launch": """A kernel that does nearly nothing, in one group of 64. A quarter of its arguments are pointers, each into an
allocation of its own. By hand every argument is set at every launch, since who launches a kernel in ka passes them all; libka leaves out
those that are the same as in the kernel object's last launch. *changing arguments*: all are others at each launch. *one*: a launch and the wait for its end, 31 blocks of 1000. *p99*: the time that 99 of 100 runs stay
below. *batch*: 1000 launches, then one wait; *own time* is what of it the launching thread spent on a core, while the
driver's threads ran the kernels on others. Nobody by hand learns there whether a kernel failed, which libka tells with the
kernel's name, so it keeps an event of each launch; *watched*: by hand, too, each launch has an event, whose state is asked after the wait.

*less clSetKernelArg*: what setting the arguments costs was measured apart and is taken off. *less the driver's cost*: all that 40
arguments cost more than 4 by hand is taken off, since PoCL works on each argument when it is launched and run, too.

*libka without driver*: PoCL is started, then each of its functions that a launch calls is exchanged for one that
does nothing. *without backend*: the table of the backend does nothing. Medians of blocks of 1000 launches, by a program of its own
with the static libka.""",
    "memory": """*alloc + free*: processor time of one `ka_alloc` and its `ka_free`, of sizes that come again and again, in one thread or in
each of 8. *keep alive*: what it takes a launch to find and mark the allocation that one pointer argument lies in, among 100000
live ones, by a program of its own with the static libka over a backend that does nothing. *a pointer*: each thread has pointers of its own, the same
in each launch; *a shared pointer*: all threads have the same; *any pointer*: others in each launch, at random, so mostly in no cache.""",
    "tasks": """All tasks run on one thread, in `ka_run`, in turn with the peer on the same thread. *task switch*: from one task to
another by `ka_yield`. *spawn and wait*: of a task that does nothing; a libuv or POSIX thread is given the same. *wait by a worker
thread*: a `ka_cooperative_wait` whose object can only be waited for by blocking, and is complete at once: to the worker and back, each on a core of its own. *park
and wake*: another thread completes the wait at once, as a driver's callback does.

*kernel of*: launch and wait in a task, 5 ms of such kernels in a row, beside the same code on the plain thread, which blocks. *all cores*: 64 groups; *one core*: one group.
*tick*: another task sleeps 10 ms again and again while a kernel of 400 ms runs: the time of the kernel through the number
of ticks. The bound is 39 of 40.

*event*: 100 events recorded behind a kernel that runs, and another task's queue waits for each; by hand a marker and a flush, and a barrier
in another queue.""",
    "http": """The [server of the examples](examples/server/README.md), asked for `/health` by wrk over 4 connections, each of which asks
again as soon as it has its answer; wrk corrects for what it could not ask meanwhile. *kernels*: a second wrk sends a photograph again and again over 2
connections, so that there is always a kernel under way; the radius is the least whose kernel takes 100 ms when nothing else
runs. *--nice=10*: the threads of the driver, which run the kernels, rank below that of the server. wrk itself keeps a core busy.""",
    "start": """From before the start of the program to its first line of output, which says that saxpy over 1024 elements came out right.
PoCL has the kernel in its cache. The peer does the same with OpenCL by hand and nothing else, so its time is what the
driver's own start costs.""",
    "compile": """The whole command, from its start to its end. Without kernels both do the same work, and the difference is the
plugin. With kernels clang compiles them as plain functions, and the difference is the device code.
*conformance*: of the conformance tests, one of the files that take longest to compile.""",
    "copy": """One copy or fill and the wait for its end, beside memcpy and memset of the same memory, all of which was written
before. 64 KiB has no bound: there the call is a good part of the time.""",
}
