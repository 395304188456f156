// emulation.h - Runs kernels that may fail on the device and on the host, and compares what they
// left.
//
// A program includes itself, so that kernels and their emulation have the same lines. In the first
// round KERNEL, HELPER and TILE stand for kernels, in the second for host functions, in which each
// item of a group is a fiber that runs from barrier to barrier; as documented, an item that fails
// stops, and its group ends at the next barrier:
//
//   #ifndef EMULATION_H
//   #include "emulation.h"
//   #include __FILE_NAME__
//   #define EMULATED
//   #include "emulation.h"
//   #include __FILE_NAME__
//   int main(int argc, char **argv) { ... run_kernels(...) ... }
//   #else
//   HELPER(int, one)(int x) { ... }
//   KERNEL(two)(PARAMETERS) { ... }
//   #endif
//
// All memory that kernels see lies in one piece, with bands between that nothing may touch.
#ifndef EMULATION_H
#define EMULATION_H

#include "check.h"
#undef NDEBUG
#include <assert.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// ---- What kernels see ----

enum { MOST_ITEMS = 1024, MOST_IN_GROUP = 256, BAND = 64, PLANTED = 1 << 30 };

// X(type, name, how many, whose an element is: n if nobody's)
#define ARRAYS(X)                                                                                  \
  X(int, x, MOST_ITEMS, n) /* read by everybody */                                                 \
  X(int, p, 8, n)                                                                                  \
  X(int, perm, MOST_ITEMS, n) /* each number below n once */                                       \
  X(int, out, MOST_ITEMS, e)                                                                       \
  X(int, y, MOST_ITEMS, e)                                                                         \
  X(int, z, MOST_ITEMS, e) /* may be y */                                                          \
  X(int, s, MOST_ITEMS, e < n ? emulation.whose[e] : n)                                            \
  X(int8_t, bytes, MOST_ITEMS, e)                                                                  \
  X(uint16_t, halves, MOST_ITEMS, e)                                                               \
  X(int64_t, wides, 4 * MOST_ITEMS, e / 4)                                                         \
  X(float, floats, 2 * MOST_ITEMS, e < n ? e : e - n)                                              \
  X(double, doubles, MOST_ITEMS, e)                                                                \
  X(int, sum, 4, n) /* added to by everybody */

enum {
#define ARRAY(type, name, count, owner) array_##name,
  ARRAYS(ARRAY)
#undef ARRAY
      OPEN = 1u << 31
};

struct memory {
#define ARRAY(type, name, count, owner)                                                            \
  char band_##name[BAND];                                                                          \
  type name[count];
  ARRAYS(ARRAY)
#undef ARRAY
  char band_end[BAND];
};

// What a launch is about, besides.
struct plan {
  ka_ndrange range;
  int n;         // items
  int bad;       // an item, counted from 0, or -1
  int bad_group; // its group
  unsigned fail; // traps that may be reached, one bit each
  bool aliased;  // z is y
};

#define ARGUMENTS(m, plan)                                                                         \
  (m)->x, (m)->p, (m)->perm, (m)->out, (m)->y, (plan)->aliased ? (m)->y : (m)->z, (m)->s,          \
      (m)->bytes, (m)->halves, (m)->wides, (m)->floats, (m)->doubles, (m)->sum, (plan)->n,         \
      (plan)->bad, (plan)->bad_group, (plan)->fail
#define PARAMETERS(q)                                                                              \
  const int *x, const int *p, const int *q perm, int *q OWN(out), int *q OWN(y), int *q OWN(z),    \
      int *q OWN(s), int8_t *q OWN(bytes), uint16_t *q OWN(halves), int64_t *q OWN(wides),         \
      float *q OWN(floats), double *q OWN(doubles), int *q sum, int n, int bad, int bad_group,     \
      unsigned fail
#define OWN(name) name

struct tested_kernel {
  const char *name;
  bool is_restrict;               // nothing may be aliased
  size_t group[3];                // its static size, else 0, 0, 0
  bool has_barriers, is_straight; // no barrier in a branch or loop
  bool any_group;                 // groups may be of the driver's choice
  ka_status (*launch)(struct memory *, const struct plan *);
  void (*emulate)(struct memory *, const struct plan *);
};

// ---- Items as fibers ----

enum state { RUNNING, WAITING, RETURNED, FAILED };
struct failure {
  int line; // 0: none
  const char *function, *text;
};
struct fiber {
  ucontext_t context;
  size_t global[3], local[3], group[3], linear;
  enum state state;
  int line;     // of the barrier it waits at
  int given[2]; // to the group, in turns
  int turn;
  unsigned touched; // since the last barrier
  bool may_wait;    // it has not passed the last barrier of the kernel
};

static struct {
  struct fiber fibers[MOST_IN_GROUP];
  char stacks[MOST_IN_GROUP][64 << 10];
  struct fiber *now;
  int count; // of items that exist in the group
  ucontext_t back;
  const struct tested_kernel *kernel;
  struct memory *memory;
  const struct plan *plan;
  size_t group[3], groups[3];
  struct failure failures[MOST_ITEMS];
  int failed;
  // By item: its arrays, one bit each, of which nobody knows what it has left in them. Where its
  // group ends at a barrier, it may end anywhere in the stretch before; if the kernel has a barrier
  // behind the trap, also where it would not come to it.
  unsigned open[MOST_ITEMS];
  size_t whose[MOST_ITEMS];   // by element of s
  size_t named;               // the item that the message names
  int tile[4][MOST_IN_GROUP]; // group memory
} emulation;

static void wait_or_end(enum state state, int line) {
  emulation.now->state = state;
  emulation.now->line = line;
  swapcontext(&emulation.now->context, &emulation.back);
}

__attribute__((noreturn)) static void fail_here(int line, const char *function, const char *text) {
  emulation.failures[emulation.now->linear] = (struct failure){line, function, text};
  emulation.failed++;
  wait_or_end(FAILED, 0);
  __builtin_unreachable();
}

static void fiber_main(void) {
  emulation.kernel->emulate(emulation.memory, emulation.plan);
  wait_or_end(RETURNED, 0);
}

static int give(int value, int line) {
  struct fiber *me = emulation.now;
  int turn = me->turn++ & 1;
  me->given[turn] = value;
  wait_or_end(WAITING, line);
  return turn;
}
static inline int reduce_add(int value, int line) {
  int turn = give(value, line), all = 0;
  for (int k = 0; k < emulation.count; k++)
    all += emulation.fibers[k].given[turn];
  return all;
}
static inline int reduce_max(int value, int line) {
  int turn = give(value, line), all = value;
  for (int k = 0; k < emulation.count; k++)
    if (emulation.fibers[k].given[turn] > all)
      all = emulation.fibers[k].given[turn];
  return all;
}
static inline int scan_add(int value, int line) {
  int turn = give(value, line), all = 0;
  for (struct fiber *other = emulation.fibers; other <= emulation.now; other++)
    all += other->given[turn];
  return all;
}

// False if the kernel is none: its items wait for each other in different places.
static bool emulate_group(void) {
  const ka_ndrange *r = &emulation.plan->range;
  emulation.count = 0;
  memset(emulation.tile, 0, sizeof emulation.tile);
  for (size_t l = 0; l < emulation.group[0] * emulation.group[1] * emulation.group[2]; l++) {
    struct fiber *f = &emulation.fibers[emulation.count];
    size_t *group = f->group, at[3];
    memcpy(group, emulation.fibers[0].group, sizeof f->group);
    f->local[0] = l % emulation.group[0];
    f->local[1] = l / emulation.group[0] % emulation.group[1];
    f->local[2] = l / emulation.group[0] / emulation.group[1];
    bool exists = true;
    for (int k = 0; k < 3; k++) {
      at[k] = group[k] * emulation.group[k] + f->local[k];
      f->global[k] = at[k] + r->offset[k];
      exists &= at[k] < r->size[k];
    }
    if (!exists)
      continue;
    f->linear = (at[2] * r->size[1] + at[1]) * r->size[0] + at[0];
    f->state = RUNNING;
    f->turn = 0;
    f->may_wait = emulation.kernel->has_barriers && !emulation.kernel->is_straight;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = emulation.stacks[emulation.count];
    f->context.uc_stack.ss_size = sizeof emulation.stacks[0];
    f->context.uc_link = NULL;
    makecontext(&f->context, fiber_main, 0);
    emulation.count++;
  }
  for (;;) {
    int states[FAILED + 1] = {0}, line = 0;
    for (int k = 0; k < emulation.count; k++)
      emulation.fibers[k].touched = 0;
    for (int k = 0; k < emulation.count; k++) {
      struct fiber *f = emulation.now = &emulation.fibers[k];
      if (f->state != RETURNED)
        swapcontext(&emulation.back, &f->context);
      states[f->state]++;
      if (f->state == WAITING) {
        if (line && f->line != line)
          return false;
        line = f->line;
      }
    }
    bool is_open = false;
    for (int k = 0; k < emulation.count; k++)
      is_open |= emulation.fibers[k].state == FAILED && emulation.fibers[k].may_wait;
    for (int k = 0; is_open && k < emulation.count; k++)
      emulation.open[emulation.fibers[k].linear] = emulation.fibers[k].touched | OPEN;
    if (states[FAILED] || !states[WAITING])
      return true;
    if (states[RETURNED])
      return false;
  }
}

static bool emulate(const struct tested_kernel *kernel, struct memory *memory,
                    const struct plan *plan) {
  const ka_ndrange *r = &plan->range;
  emulation.kernel = kernel;
  emulation.memory = memory;
  emulation.plan = plan;
  emulation.failed = 0;
  memset(emulation.failures, 0, sizeof emulation.failures);
  memset(emulation.open, 0, sizeof emulation.open);
  for (int k = 0; k < plan->n; k++)
    emulation.whose[memory->perm[k]] = (size_t)k;
  emulation.named = MOST_ITEMS;
  for (int k = 0; k < 3; k++) {
    // Where the driver chooses, the kernel does not look at groups.
    emulation.group[k] = r->group[0] ? r->group[k] : kernel->group[0] ? kernel->group[k] : 1;
    emulation.groups[k] = (r->size[k] + emulation.group[k] - 1) / emulation.group[k];
  }
  size_t groups = emulation.groups[0] * emulation.groups[1] * emulation.groups[2];
  for (size_t g = 0; g < groups; g++) {
    size_t *group = emulation.fibers[0].group;
    group[0] = g % emulation.groups[0];
    group[1] = g / emulation.groups[0] % emulation.groups[1];
    group[2] = g / emulation.groups[0] / emulation.groups[1];
    if (!emulate_group())
      return false;
  }
  return true;
}

static inline size_t local_linear_id(void) {
  const struct fiber *me = emulation.now;
  return (me->local[2] * emulation.group[1] + me->local[1]) * emulation.group[0] + me->local[0];
}
static inline size_t group_linear_id(void) {
  const struct fiber *me = emulation.now;
  return (me->group[2] * emulation.groups[1] + me->group[1]) * emulation.groups[0] + me->group[0];
}
// In kernels division is defined for all numbers, unless clang's check of it is on.
static inline int emulated_divide(int a, int b, int line, const char *function) {
#ifdef DIVISION_TRAPS
  if (b == 0 || (b == -1 && a == INT_MIN))
    fail_here(line, function, "division by zero, or of the least integer by -1");
#endif
  (void)line, (void)function;
  return b == 0 ? a : b == -1 ? (int)-(unsigned)a : a / b;
}

// ---- Launches ----

static char launch_name[200]; // for what ends the process
static int launch_seconds = 60;
static int launches, failing_launches;

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// A launch hangs that has had the processor for so long, or has not ended ten times later.
static double launch_begin;
static int launch_alarms;

static void watch_launch(void) {
  launch_begin = processor_time();
  launch_alarms = 0;
  alarm((unsigned)launch_seconds);
}

static void ended_by(int number) {
  if (number == SIGALRM && processor_time() < launch_begin + launch_seconds &&
      ++launch_alarms < 10) {
    alarm((unsigned)launch_seconds);
    return;
  }
  const char *how = number == SIGALRM ? "hangs: " : "crashes: ";
  ssize_t wrote = write(2, how, strlen(how));
  wrote = write(2, launch_name, strlen(launch_name));
  (void)wrote;
  _exit(number == SIGALRM ? 5 : 4);
}

static void wrong(const char *what) {
  fprintf(stderr, "%s: %s\n", launch_name, what);
  check_failures++;
}

// What is said must fit an item that fails in the emulation.
static void check_message(const struct tested_kernel *kernel, const struct plan *plan,
                          const char *file) {
  const char *said = ka_error_message(), *name = strrchr(file, '/');
  char expected[4000];
  size_t id[3], group[3];
  const char *item = strstr(said, ", item (");
  if (!item || sscanf(item, ", item (%zu, %zu, %zu) of group (%zu, %zu, %zu)", &id[0], &id[1],
                      &id[2], &group[0], &group[1], &group[2]) != 6) {
    wrong("no item is named");
    fprintf(stderr, "  %s\n", said);
    return;
  }
  const ka_ndrange *r = &plan->range;
  size_t linear = 0;
  for (int k = 2; k >= 0; k--) {
    id[k] -= r->offset[k];
    if (id[k] >= r->size[k]) {
      wrong("the item that is named does not exist");
      fprintf(stderr, "  %s\n", said);
      return;
    }
    linear = linear * r->size[k] + id[k];
    if (r->group[0] || kernel->group[0])
      group[k] = id[k] / emulation.group[k];
    id[k] += r->offset[k];
  }
  const struct failure *f = &emulation.failures[linear];
  if (!f->line) {
    wrong("the item that is named does not fail");
    fprintf(stderr, "  %s\n", said);
    return;
  }
  const char *function = f->function + strlen("host_");
  emulation.named = linear;
  bool elsewhere = strcmp(function, kernel->name) != 0;
  snprintf(expected, sizeof expected,
           "%s:%d%s%s%s, item (%zu, %zu, %zu) of group (%zu, %zu, %zu): %s", name ? name + 1 : file,
           f->line, elsewhere ? " in '" : "", elsewhere ? function : "", elsewhere ? "'" : "",
           id[0], id[1], id[2], group[0], group[1], group[2], f->text);
  char begin[200];
  snprintf(begin, sizeof begin, "kernel '%s' stopped at ", kernel->name);
  if (!strstr(said, begin) || !strstr(said, expected)) {
    wrong("the message is wrong");
    fprintf(stderr, "  expected: %s\n  said: %s\n", expected, said);
  }
}

static void check_memory(const struct memory *expected, const struct memory *got) {
  if (memcmp((const void *)expected, (const void *)got, sizeof *expected) == 0)
    return;
  size_t n = (size_t)emulation.plan->n;
  bool some_open = false;
  for (size_t k = 0; k < n; k++)
    some_open |= emulation.open[k] != 0;
#define ARRAY(type, name, count, owner)                                                            \
  if (memcmp(expected->band_##name, got->band_##name, BAND) != 0)                                  \
    wrong("the band before " #name " was touched");                                                \
  for (size_t e = 0; e < count; e++) {                                                             \
    const type *be = &expected->name[e], *is = &got->name[e];                                      \
    size_t item = owner;                                                                           \
    if (memcmp(be, is, sizeof *be) == 0)                                                           \
      continue;                                                                                    \
    unsigned open = item < n ? emulation.open[item] : 0;                                           \
    if (item != emulation.named && open & 1u << array_##name)                                      \
      continue;                                                                                    \
    if (some_open && (const void *)be >= (const void *)expected->sum &&                            \
        (const void *)be < (const void *)expected->band_end)                                       \
      continue;                                                                                    \
    wrong(open ? #name " differs in a group that fails" : #name " differs");                       \
    fprintf(stderr, "  at %zu, of item %zu: expected %.17g, got %.17g\n", e, item, (double)*be,    \
            (double)*is);                                                                          \
    break;                                                                                         \
  }
  ARRAYS(ARRAY)
#undef ARRAY
  if (memcmp(expected->band_end, got->band_end, BAND) != 0)
    wrong("the band at the end was touched");
}

static void fill(struct memory *m, const struct plan *plan, unsigned seed) {
  memset(m, 0xa5, sizeof *m);
  unsigned n = (unsigned)plan->n;
  for (unsigned k = 0; k < MOST_ITEMS; k++) {
    unsigned number = (k + seed) * 2654435761u;
    m->x[k] = (int)(number >> 7);
    // 1009 is a prime beyond all n.
    m->perm[k] = (int)(k < n ? ((uint64_t)(k + seed) * 1009) % n : 0);
    m->out[k] = (int)(number >> 20), m->y[k] = (int)(number >> 3), m->z[k] = -(int)k, m->s[k] = 5;
    m->bytes[k] = (int8_t)number, m->halves[k] = (uint16_t)number;
    for (int c = 0; c < 4; c++)
      m->wides[4 * k + c] = (int64_t)number * (c - 2);
    m->floats[k] = (float)(number >> 24), m->floats[MOST_ITEMS + k] = (float)(number >> 25);
    m->doubles[k] = (float)(number >> 22);
  }
  for (int k = 0; k < 8; k++)
    m->p[k] = (int)((k * 5 + seed) % 7);
  memset(m->sum, 0, sizeof m->sum);
  if (plan->bad >= 0)
    m->x[plan->bad] = PLANTED;
}

static void run(const struct tested_kernel *kernel, const struct plan *plan, unsigned seed,
                const char *file) {
  static struct memory *device;
  static struct memory expected;
  if (!device)
    device = device_memory(sizeof *device);
  const ka_ndrange *r = &plan->range;
  snprintf(launch_name, sizeof launch_name,
           "%s, range (%zu, %zu, %zu), group (%zu, %zu, %zu), offset %zu, bad %d, fail %x, seed %u",
           kernel->name, r->size[0], r->size[1], r->size[2], r->group[0], r->group[1], r->group[2],
           r->offset[0], plan->bad, plan->fail, seed);
  fill(&expected, plan, seed);
  memcpy((void *)device, (const void *)&expected, sizeof expected);
  if (!emulate(kernel, &expected, plan)) {
    wrong("is no kernel: items of a group wait at different barriers");
    return;
  }
  watch_launch();
  ka_status launched = kernel->launch(device, plan);
  if (launched != KA_OK) {
    alarm(0);
    wrong("was not launched");
    fprintf(stderr, "  %s\n", ka_error_message());
    ka_synchronize(backend());
    return;
  }
  ka_status status = ka_synchronize(backend());
  alarm(0);
  launches++;
  failing_launches += emulation.failed != 0;
  if (!emulation.failed) {
    if (status != KA_OK) {
      wrong("fails without a reason");
      fprintf(stderr, "  %s\n", ka_error_message());
    }
  } else if (status != KA_ERROR_KERNEL_TRAP) {
    wrong("does not fail");
  } else {
    check_message(kernel, plan, file);
  }
  check_memory(&expected, device);
}

// From the first-th on, as those before may have ended the process; `geometries` of each.
static int run_kernels(const struct tested_kernel *kernels, int count, int first, int geometries,
                       unsigned seed, const char *file) {
  static const struct {
    size_t size[3], group[3], offset[3];
    uint32_t dimensions;
  } all[] = {
      {{100, 1, 1}, {32, 1, 1}, {0, 0, 0}, 1},  {{10, 6, 5}, {4, 2, 3}, {0, 0, 0}, 3},
      {{300, 1, 1}, {7, 1, 1}, {0, 0, 0}, 1},   {{33, 9, 1}, {8, 4, 1}, {3, 1, 0}, 2},
      {{64, 1, 1}, {64, 1, 1}, {0, 0, 0}, 1},   {{1000, 1, 1}, {100, 1, 1}, {0, 0, 0}, 1},
      {{50, 1, 1}, {1, 1, 1}, {5, 0, 0}, 1},    {{1, 1, 20}, {1, 1, 16}, {0, 0, 0}, 3},
      {{30, 30, 1}, {16, 16, 1}, {0, 0, 0}, 2},
  };
  enum { shapes = sizeof all / sizeof *all };
  static const int sizes[] = {1, 31, 32, 33, 100, 160, 500};
  signal(SIGALRM, ended_by);
  static char stack[64 << 10];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (int k = 0; k < 5; k++)
    sigaction(deadly[k], &(struct sigaction){.sa_handler = ended_by, .sa_flags = SA_ONSTACK}, NULL);
  if (getenv("LAUNCH_SECONDS"))
    launch_seconds = atoi(getenv("LAUNCH_SECONDS"));
  backend();
  for (int c = first; c < count; c++) {
    const struct tested_kernel *kernel = &kernels[c];
    for (int g = 0; g < geometries; g++) {
      unsigned number = seed * 7919 + (unsigned)(c * 31 + g);
      struct plan plan = {0};
      if (kernel->group[0]) {
        int n = sizes[number % 7];
        plan.range = ka_range((size_t)n);
        if (kernel->group[1] > 1)
          plan.range = ka_range(13, 10, 3);
        if (number & 8)
          memcpy(plan.range.group, kernel->group, sizeof kernel->group);
      } else {
        int shape = (int)(number % (shapes + kernel->any_group));
        if (shape == shapes) {
          plan.range = number & 16 ? ka_range(777) : ka_range(31, 17);
        } else {
          plan.range = ka_range(1, 1, 1);
          memcpy(plan.range.size, all[shape].size, sizeof plan.range.size);
          memcpy(plan.range.group, all[shape].group, sizeof plan.range.size);
          memcpy(plan.range.offset, all[shape].offset, sizeof plan.range.size);
          plan.range.dimensions = all[shape].dimensions;
        }
      }
      const ka_ndrange *r = &plan.range;
      plan.n = (int)(r->size[0] * r->size[1] * r->size[2]);
      const int bad[] = {-1, plan.n / 2, plan.n - 1, 0, (int)(number * 2654435761u >> 8) % plan.n};
      // No trap, each one by itself, some, all.
      for (int t = -1; t < 10; t++) {
        plan.fail = t < 0 ? 0 : t < 6 ? 1u << t : t < 9 ? number * 2654435761u >> (t * 3) : ~0u;
        plan.bad = t < 0 ? -1 : bad[(t + c) % 5];
        if (t == 8)
          plan.fail = 0;
        plan.aliased = !kernel->is_restrict && (number + (unsigned)t) % 3 == 0;
        plan.bad_group = -1;
        if (plan.bad >= 0) {
          size_t bad_group = 0, at = (size_t)plan.bad;
          const size_t id[3] = {at % r->size[0], at / r->size[0] % r->size[1],
                                at / r->size[0] / r->size[1]};
          for (int k = 2; k >= 0; k--) {
            size_t items = r->group[0] ? r->group[k] : kernel->group[0] ? kernel->group[k] : 1;
            bad_group = bad_group * ((r->size[k] + items - 1) / items) + id[k] / items;
          }
          plan.bad_group = (int)bad_group;
        }
        run(kernel, &plan, number & 0xff, file);
      }
    }
  }
  printf("%d launches, %d of which fail\n", launches, failing_launches);
  return check_result();
}

#endif // EMULATION_H

// ---- What kernels are written with ----

#ifndef EMULATED

#define KERNEL(name, ...)         [[ka::kernel __VA_OPT__(, ) __VA_ARGS__]] void name
#define HELPER(type, name)        static type name
#define CALL(name)                name
#define TILE(number, name, count) ka_local int name[count]
#define DIVIDE(a, b)              ((a) / (b))
#define BEHIND_BARRIERS

#else // in the second round

// The host's compiler may keep what a restrict pointer leads to from items that never go on.
#define restrict
#undef OWN
#define OWN(name)   name##_there
#define TOUCH(name) (emulation.now->touched |= 1u << array_##name, name##_there)
#define out         TOUCH(out)
#define y           (emulation.now->touched |= 1u << array_z, TOUCH(y))
#define z           (emulation.now->touched |= 1u << array_y, TOUCH(z))
#define s           TOUCH(s)
#define bytes       TOUCH(bytes)
#define halves      TOUCH(halves)
#define wides       TOUCH(wides)
#define floats      TOUCH(floats)
#define doubles     TOUCH(doubles)
#undef KERNEL
#undef HELPER
#undef CALL
#undef TILE
#undef DIVIDE
#undef BEHIND_BARRIERS
#undef KA_UNROLL
#undef KA_UNROLL_N
#undef assert
#undef ka_group_reduce_add
#undef ka_group_reduce_max
#undef ka_group_scan_add
#define KERNEL(name, ...)         static void host_##name
#define HELPER(type, name)        static type host_##name
#define CALL(name)                host_##name
#define TILE(number, name, count) int *name = emulation.tile[number]
#define BEHIND_BARRIERS           emulation.now->may_wait = false;
#define KA_UNROLL
#define KA_UNROLL_N(n)
#define FAIL(text)                 fail_here(__LINE__, __func__, text)
#define assert(condition)          ((condition) ? (void)0 : FAIL("assertion '" #condition "' failed"))
#define ka_trap(text)              FAIL(text)
#define abort()                    FAIL("abort()")
#define __builtin_trap()           FAIL("__builtin_trap()")
#define DIVIDE(a, b)               emulated_divide(a, b, __LINE__, __func__)
#define ka_barrier()               wait_or_end(WAITING, __LINE__)
#define ka_group_reduce_add(value) reduce_add(value, __LINE__)
#define ka_group_reduce_max(value) reduce_max(value, __LINE__)
#define ka_group_scan_add(value)   scan_add(value, __LINE__)
#define ka_global_id(k)            (emulation.now->global[k])
#define ka_local_id(k)             (emulation.now->local[k])
#define ka_group_id(k)             (emulation.now->group[k])
#define ka_global_size(k)          (emulation.plan->range.size[k])
#define ka_global_offset(k)        (emulation.plan->range.offset[k])
#define ka_local_size(k)           (emulation.group[k])
#define ka_num_groups(k)           (emulation.groups[k])
#define ka_global_linear_id()      (emulation.now->linear)
#define ka_local_linear_id()       local_linear_id()
#define ka_group_linear_id()       group_linear_id()

#endif
