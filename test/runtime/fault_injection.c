/* Lets each call of the OpenCL driver, and each allocation of libka, fail in turn in a program that
 * uses everything: nothing may crash, hang or leak, every failure leaves a text, the call that
 * failed works when it is made again, and the results are right.
 *
 * How often each entry is called is counted in runs without faults: a cold one, the first of a
 * process, and a warm one. A fault of a cold run has a process of its own; those of warm runs share
 * one for each entry. Where an entry is called often, a sample of its calls fails, the first and
 * the last among them; with KA_TEST_ALL_FAULTS=1 all do, each with several errors. */
#include "runtime/backends/opencl/opencl.h"
#include "test/runtime/support/faulty_allocator.h"
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/test.h"
#include "test/runtime/support/whole_program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ENTRIES_MAX = 64, CHILD_SECONDS = 40 };

/* What a child tells its parent. */
struct report {
  int cold[ENTRIES_MAX], warm[ENTRIES_MAX]; /* calls of each entry */
  int cold_allocations, warm_allocations, warm_events;
  int faults, failures; /* that were made; calls of libka that failed for them */
  char doing[200];
};

static struct report *report;
static struct faulty_opencl *cl;
static struct faulty_entry *entries;

static bool all_faults(void) {
  const char *all = getenv("KA_TEST_ALL_FAULTS");
  return all && *all == '1';
}

/* ---- The two kinds of device ---- */

static const cl_ulong little_memory = (cl_ulong)64 << 20;
static const struct faulty_answer answers[] = {
    {CL_DEVICE_GLOBAL_MEM_SIZE, &little_memory, sizeof little_memory, 0}, {0, NULL, 0, 0}};

/* Two devices of the driver as they are, and two that share no more than buffers. */
static void cpu(void) {}
static void buffers(void) {
  cl->svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
}

static void load(void (*machine)(void)) {
  setenv("KA_OPENCL_LIBRARY", FAULTY_OPENCL, 1);
  setenv("POCL_DEVICES", "cpu cpu", 1);
  void *library = dlopen(FAULTY_OPENCL, RTLD_NOW | RTLD_LOCAL);
  CHECK(library);
  cl = dlsym(library, "faulty_opencl");
  entries = dlsym(library, "faulty_opencl_entries");
  CHECK(cl && entries);
  cl->answers = answers;
  machine();
}

/* ---- Children ---- */

static int entry_count(void) {
  int n = 0;
  while (entries[n].name)
    n++;
  CHECK(n <= ENTRIES_MAX);
  return n;
}

/* Everything that the program created has been released, but for what lives as long as it does. */
static void check_live(void) {
  const struct faulty_live *live = &cl->live;
  CHECK_INT(live->events, 0);
  CHECK_INT(live->kernels, 0);
  CHECK_INT(live->programs, 0);
  CHECK(live->svm <= 2);
  CHECK(live->contexts <= 2);
  CHECK(live->queues <= 2 * 4);
}

static void run_clean(void) {
  whole_program(NO_FAULT, NULL);
  check_live();
  int n = entry_count(), allocations = faulty_allocations(), events = cl->events_made;
  for (int e = 0; e < n; e++)
    report->cold[e] = entries[e].calls;
  report->cold_allocations = allocations;
  whole_program(NO_FAULT, NULL);
  check_live();
  for (int e = 0; e < n; e++)
    report->warm[e] = entries[e].calls - report->cold[e];
  report->warm_allocations = faulty_allocations() - allocations;
  report->warm_events = cl->events_made - events;
  whole_program_leaves_work();
}

/* A fault that a child makes: of an entry, of an allocation (entry -1), or of an operation after it
 * was put in a queue (entry -2). */
enum { ALLOCATION = -1, EVENT = -2 };
static struct {
  void (*machine)(void);
  int entry;
  int numbers[4096], count; /* which calls */
  bool warm;
} plan;

static const cl_int errors[] = {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_INVALID_VALUE};
enum { ERRORS = sizeof errors / sizeof *errors };

static void one_fault(int number, cl_int error) {
  const char *what = plan.entry == ALLOCATION ? "allocation"
                     : plan.entry == EVENT    ? "event"
                                              : entries[plan.entry].name;
  snprintf(report->doing, sizeof report->doing, "%s number %d fails with %d (%s)", what, number,
           error, plan.warm ? "warm" : "cold");
  if (plan.entry == ALLOCATION) {
    faulty_allocation_at(number);
  } else if (plan.entry == EVENT) {
    cl->event_at = cl->events_made + number;
    cl->event_status = error;
  } else {
    cl->error = error;
    cl->at = number;
    cl->seen = 0;
    cl->call = what;
  }
  ka_status status;
  int failures = whole_program(ONE_FAULT, &status);
  faulty_allocation_at(0);
  cl->event_at = cl->event_status = 0;
  cl->call = NULL;
  report->faults++;
  report->failures += failures;
  /* A fault may be made good inside, but one that fails several calls was not told the first. */
  if (plan.entry == EVENT) {
    CHECK_INT(failures, 1);
    CHECK_STATUS(status, KA_ERROR_KERNEL_FAILED);
  } else {
    CHECK(failures <= 1);
  }
  check_live();
}

static void run_plan(void) {
  if (plan.warm)
    whole_program(NO_FAULT, NULL);
  for (int i = 0; i < plan.count; i++) {
    if (!all_faults())
      one_fault(plan.numbers[i], errors[(plan.numbers[i] + i) % ERRORS]);
    else
      for (int e = 0; e < (plan.entry >= 0 && plan.warm ? ERRORS : 1); e++)
        one_fault(plan.numbers[i], errors[e]);
  }
  snprintf(report->doing, sizeof report->doing, "the run after %s", strdupa(report->doing));
  whole_program(NO_FAULT, NULL);
  check_live();
  whole_program_leaves_work();
}

static void in_child(void (*run)(void)) {
  fflush(NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(CHILD_SECONDS);
    load(plan.machine);
    run();
    exit(EXIT_SUCCESS);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status))
    test_fail(__FILE__, __LINE__, "%s: %s", report->doing,
              WTERMSIG(status) == SIGALRM ? "it hangs" : strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != EXIT_SUCCESS)
    test_fail(__FILE__, __LINE__, "%s: exit status %d", report->doing, WEXITSTATUS(status));
}

/* ---- The parent ---- */

/* All numbers from 1 to `calls`, or a sample of `most` of them. */
static void choose(int calls, int most) {
  const int room = (int)(sizeof plan.numbers / sizeof *plan.numbers);
  if (all_faults() || calls < most)
    most = calls < room ? calls : room;
  plan.count = 0;
  for (int i = 0; i < most; i++) {
    /* The first few, then evenly spread up to the last. */
    int n = i < most / 2 ? i + 1 : (int)((long long)calls * (i + 1) / most);
    if (!plan.count || n > plan.numbers[plan.count - 1])
      plan.numbers[plan.count++] = n;
  }
}

static void start(void (*machine)(void)) {
  report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(report != MAP_FAILED);
  plan.machine = machine;
  snprintf(report->doing, sizeof report->doing, "a run without faults");
  in_child(run_clean);
}

static void run_cold(int entry, int calls, int most) {
  plan.entry = entry;
  plan.warm = false;
  choose(calls, most);
  int numbers[sizeof plan.numbers / sizeof *plan.numbers], count = plan.count;
  memcpy(numbers, plan.numbers, sizeof numbers);
  for (int i = 0; i < count; i++) {
    plan.numbers[0] = numbers[i];
    plan.count = 1;
    in_child(run_plan);
  }
}

static void run_warm(int entry, int calls, int most) {
  plan.entry = entry;
  plan.warm = true;
  choose(calls, most);
  if (plan.count)
    in_child(run_plan);
}

static void say(const char *what, int cold, int warm, int faults, int failures) {
  printf("%-38s %6d %6d %6d %6d\n", what, cold, warm, report->faults - faults,
         report->failures - failures);
}

/* The entries whose number is `part` modulo `parts`, so that no test takes long. */
static void entries_fail(void (*machine)(void), int part, int parts) {
  start(machine);
  printf("%-38s %6s %6s %6s %6s\n", "entry", "cold", "warm", "faults", "failed");
  load(machine); /* for the names; libka is not used here */
  for (int e = part, n = entry_count(); e < n; e += parts) {
    int faults = report->faults, failures = report->failures;
    /* What happens once in a process, while devices are looked for and started, has no warm run. */
    bool once = report->warm[e] == 0;
    run_cold(e, report->cold[e], once ? 6 : 1);
    run_warm(e, report->warm[e], 6);
    say(entries[e].name, report->cold[e], report->warm[e], faults, failures);
  }
}

TEST(the_shim_knows_every_entry) {
  load(cpu);
#define KNOWN(function)                                                                            \
  {                                                                                                \
    int e = 0;                                                                                     \
    while (entries[e].name && strcmp(entries[e].name, #function) != 0)                             \
      e++;                                                                                         \
    if (!entries[e].name)                                                                          \
      test_fail(__FILE__, __LINE__, "libka uses %s: let support/faulty_opencl.c fail it",          \
                #function);                                                                        \
  }
  KA__CL_FUNCTIONS(KNOWN)
#undef KNOWN
}

TEST(entries_of_a_cpu_fail_1) { entries_fail(cpu, 0, 4); }
TEST(entries_of_a_cpu_fail_2) { entries_fail(cpu, 1, 4); }
TEST(entries_of_a_cpu_fail_3) { entries_fail(cpu, 2, 4); }
TEST(entries_of_a_cpu_fail_4) { entries_fail(cpu, 3, 4); }
TEST(entries_of_a_device_with_buffers_fail_1) { entries_fail(buffers, 0, 4); }
TEST(entries_of_a_device_with_buffers_fail_2) { entries_fail(buffers, 1, 4); }
TEST(entries_of_a_device_with_buffers_fail_3) { entries_fail(buffers, 2, 4); }
TEST(entries_of_a_device_with_buffers_fail_4) { entries_fail(buffers, 3, 4); }

static void allocations_fail(void (*machine)(void)) {
  start(machine);
  run_cold(ALLOCATION, report->cold_allocations, 24);
  run_warm(ALLOCATION, report->warm_allocations, 60);
  say("allocations", report->cold_allocations, report->warm_allocations, 0, 0);
}

TEST(allocations_fail_on_a_cpu) { allocations_fail(cpu); }
TEST(allocations_fail_on_a_device_with_buffers) { allocations_fail(buffers); }

static void operations_fail(void (*machine)(void)) {
  start(machine);
  run_warm(EVENT, report->warm_events, 24);
  say("operations", 0, report->warm_events, 0, 0);
}

TEST(operations_fail_while_they_run_on_a_cpu) { operations_fail(cpu); }
TEST(operations_fail_while_they_run_on_a_device_with_buffers) { operations_fail(buffers); }
