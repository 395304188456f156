/* Runs of a whole program in which one thing fails: in child processes, with a plan of which. */
#include "test/runtime/support/fault_runs.h"

#include "runtime/backends/opencl/opencl.h"
#include "test/runtime/support/faulty_allocator.h"
#include "test/runtime/support/faulty_opencl.h"
#include "test/runtime/support/test.h"
#include "test/runtime/support/whole_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ENTRIES_MAX = 64, FAULTS_MAX = 4096, FAULT_SECONDS = 40 };

/* What the program has done before a run. */
enum start { COLD, BUILD, WARM, STARTS };

/* What a child tells its parent. */
struct report {
  int calls[STARTS][ENTRIES_MAX], allocations[STARTS], events[STARTS];
  int faults, failures; /* that were made; calls of libka that failed for them */
  char doing[200];
};

static struct report *report;
/* Whether libka keeps freed memory for later; else memory that the driver gave can be counted. */
static bool pool;
static struct faulty_opencl *cl;
static struct faulty_entry *entries;

static bool all_faults(void) {
  const char *all = getenv("KA_TEST_ALL_FAULTS");
  return all && *all == '1';
}

/* ---- The kinds of device ---- */

static const cl_ulong little_memory = (cl_ulong)64 << 20;
static const struct faulty_answer answers[] = {
    {CL_DEVICE_GLOBAL_MEM_SIZE, &little_memory, sizeof little_memory, 0}, {0, NULL, 0, 0}};

static void load(enum fault_machine machine) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  if (!pool)
    setenv("KA_POOL", "0", 1);
  cl = faulty_opencl_load();
  entries = faulty_opencl_find("faulty_opencl_entries");
  cl->answers = answers;
  if (machine == FAULT_BUFFERS)
    cl->svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
  else if (machine == FAULT_COARSE)
    cl->svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
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
static void check_live(bool closed) {
  const struct faulty_live *live = &cl->live;
  CHECK_INT(live->events, 0);
  CHECK(pool || live->svm <= 2);
  CHECK(live->contexts <= 2);
  CHECK(live->queues <= 2 * 4);
  CHECK(live->programs <= 2);
  if (!closed)
    return;
  CHECK_INT(live->programs, 0);
  CHECK_INT(live->kernels, 0);
}

/* Each run has its time: how many there are in a child says nothing about whether one hangs. */
static int run_program(enum faults faults, ka_status *last) {
  alarm(FAULT_SECONDS);
  return whole_program(faults, last);
}

static void run_clean(void) {
  int n = entry_count(), calls[ENTRIES_MAX] = {0}, allocations = 0, events = 0;
  for (int start = 0; start < STARTS; start++) {
    run_program(NO_FAULT, NULL);
    check_live(false);
    for (int e = 0; e < n; e++) {
      report->calls[start][e] = entries[e].calls - calls[e];
      calls[e] = entries[e].calls;
    }
    report->allocations[start] = faulty_allocations() - allocations;
    report->events[start] = cl->events_made - events;
    allocations = faulty_allocations();
    events = cl->events_made;
    if (start == COLD) {
      whole_program_close();
      check_live(true);
    }
  }
  whole_program_leaves_work();
}

/* A fault that a child makes: of an entry, of an allocation, or of an operation after it was put in
 * a queue. */
enum { ALLOCATION = -1, EVENT = -2 };
static struct {
  enum fault_machine machine;
  int entry;
  enum start start;
  int numbers[FAULTS_MAX], count; /* which calls */
} plan;

static const cl_int errors[] = {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_INVALID_VALUE};
enum { ERRORS = sizeof errors / sizeof *errors };

static void one_fault(int number, cl_int error) {
  const char *what = plan.entry == ALLOCATION ? "allocation"
                     : plan.entry == EVENT    ? "operation"
                                              : entries[plan.entry].name;
  snprintf(report->doing, sizeof report->doing, "%s number %d fails with %d (%s)", what, number,
           error,
           plan.start == COLD    ? "cold"
           : plan.start == BUILD ? "kernels built"
                                 : "warm");
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
  int failures = run_program(ONE_FAULT, &status);
  /* How many operations there are depends a little on how fast they are. */
  bool reached = plan.entry == EVENT && cl->events_made >= cl->event_at;
  faulty_allocation_at(0);
  cl->event_at = cl->event_status = 0;
  cl->call = NULL;
  report->faults++;
  report->failures += failures;
  /* A fault may be made good inside, but one that fails several calls was not told the first. A
   * failed operation is told to each that has to do with it: its queue, an event, a queue behind.
   */
  CHECK(failures <= (plan.entry == EVENT ? 3 : 1));
  if (reached)
    CHECK_STATUS(status, KA_ERROR_KERNEL_FAILED);
  check_live(false);
  if (plan.start == BUILD) {
    whole_program_close();
    check_live(true);
  }
}

static void run_plan(void) {
  if (plan.start != COLD)
    run_program(NO_FAULT, NULL);
  if (plan.start == BUILD)
    whole_program_close();
  /* The last of the errors is how a driver says that it does not know a property: no fault. */
  bool knows = plan.entry >= 0 && strcmp(entries[plan.entry].name, "clGetDeviceInfo") == 0;
  for (int i = 0; i < plan.count; i++)
    one_fault(plan.numbers[i], errors[plan.numbers[i] % (knows ? ERRORS - 1 : ERRORS)]);
  snprintf(report->doing, sizeof report->doing, "the run after %s", strdupa(report->doing));
  run_program(NO_FAULT, NULL);
  check_live(false);
  whole_program_leaves_work();
}

/* Every call of the entry fails, until none does. */
static void run_all_fail(void) {
  for (int start = 0; start < STARTS; start++) {
    snprintf(report->doing, sizeof report->doing, "all calls of %s fail, start %d",
             entries[plan.entry].name, start);
    cl->error = CL_OUT_OF_RESOURCES;
    cl->at = 0;
    cl->call = entries[plan.entry].name;
    report->faults++;
    report->failures += run_program(MANY_FAULTS, NULL);
    cl->call = NULL;
    snprintf(report->doing, sizeof report->doing, "the run after all calls of %s, start %d",
             entries[plan.entry].name, start);
    run_program(NO_FAULT, NULL);
    if (start < WARM)
      whole_program_close();
    check_live(start < WARM);
  }
  whole_program_leaves_work();
}

static void in_child(void (*run)(void)) {
  fflush(NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(FAULT_SECONDS);
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

/* The sample of faults is that much smaller than it could be: all tests together are to take about
 * two minutes, and sanitizers make runs many times slower. */
enum { FEWER = 3 };

/* All numbers from 1 to `calls`, or a sample of about `most` of them. */
static void choose(int calls, int most) {
  most = (most + FEWER - 1) / FEWER;
  if (all_faults() || calls < most)
    most = calls < FAULTS_MAX ? calls : FAULTS_MAX;
  plan.count = 0;
  for (int i = 0; i < most; i++) {
    /* The first few, then evenly spread up to the last. */
    int n = i < most / 2 ? i + 1 : (int)((long long)calls * (i + 1) / most);
    if (!plan.count || n > plan.numbers[plan.count - 1])
      plan.numbers[plan.count++] = n;
  }
}

static void start(enum fault_machine machine) {
  printf("faults: %s\n", all_faults() ? "all" : "a sample");
  report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(report != MAP_FAILED);
  plan.machine = machine;
  snprintf(report->doing, sizeof report->doing, "a run without faults");
  in_child(run_clean);
}

static void run(int entry, enum start start, int calls, int most) {
  plan.entry = entry;
  plan.start = start;
  choose(calls, most);
  /* Calls that a cheaper run makes too all fail there. */
  bool elsewhere = entry >= 0 && ((start == COLD && report->calls[BUILD][entry]) ||
                                  (start == BUILD && report->calls[WARM][entry]));
  if (elsewhere && plan.count > 6)
    plan.count = 6;
  int numbers[FAULTS_MAX], count = plan.count;
  if (start != COLD) {
    if (count)
      in_child(run_plan);
    return;
  }
  memcpy(numbers, plan.numbers, sizeof numbers);
  for (int i = 0; i < count; i++) {
    plan.numbers[0] = numbers[i];
    plan.count = 1;
    in_child(run_plan);
  }
}

static void say(const char *what, const int calls[STARTS], int faults, int failures) {
  printf("%-38s %6d %6d %6d %6d %6d\n", what, calls[COLD], calls[BUILD], calls[WARM],
         report->faults - faults, report->failures - failures);
}

/* Calls that are there only in cold runs, or only where kernels are built, are the ones that those
 * are for. */
static void entry_fails(int e, const struct fault_sample *sample) {
  int faults = report->faults, failures = report->failures;
  int calls[STARTS];
  for (int s = 0; s < STARTS; s++)
    calls[s] = report->calls[s][e];
  bool wanted = calls[WARM] || sample->cold || sample->build;
  if (calls[COLD] && ((wanted && sample->all_calls) || all_faults())) {
    plan.entry = e;
    in_child(run_all_fail);
  }
  run(e, COLD, calls[COLD], calls[BUILD] && sample->cold ? 1 : sample->cold);
  run(e, BUILD, calls[BUILD], calls[WARM] > 6 && sample->build > 2 ? 2 : sample->build);
  run(e, WARM, calls[WARM], sample->warm);
  if (wanted || all_faults())
    say(entries[e].name, calls, faults, failures);
}

void fault_entries(enum fault_machine machine, int part, int parts,
                   const struct fault_sample *sample) {
  start(machine);
  printf("%-38s %6s %6s %6s %6s %6s\n", "entry", "cold", "build", "warm", "faults", "failed");
  load(machine); /* for the names; libka is not used here */
  for (int e = part, n = entry_count(); e < n; e += parts)
    entry_fails(e, sample);
}

void fault_allocations(enum fault_machine machine, const struct fault_sample *sample) {
  pool = true;
  start(machine);
  run(ALLOCATION, COLD, report->allocations[COLD], sample->cold);
  run(ALLOCATION, BUILD, report->allocations[BUILD], sample->build);
  run(ALLOCATION, WARM, report->allocations[WARM], sample->warm);
  say("allocations", report->allocations, 0, 0);
}

void fault_operations(enum fault_machine machine, int most) {
  start(machine);
  run(EVENT, WARM, report->events[WARM], most);
  say("operations", report->events, 0, 0);
}

bool fault_known_entry(const char *name) {
  load(FAULT_CPU);
  int e = 0;
  while (entries[e].name && strcmp(entries[e].name, name) != 0)
    e++;
  return entries[e].name;
}
