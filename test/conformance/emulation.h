// emulation.h - Runs kernels that may fail on the device and on the host, and compares what they
// left.
//
// A program includes itself, so that kernels and their emulation have the same lines. In the first
// round KERNEL, HELPER and TILE stand for kernels, in the second for host functions, in which each
// item of a group is a fiber that runs from barrier to barrier; as documented, an item that fails
// stops, and its group ends at the next barrier:
//
//   #ifndef EMULATION_H
//   #include "emulated_launches.h"
//   #include __FILE_NAME__
//   ... what launches the kernels ...
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
#include <stdint.h>
#include <ucontext.h>

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

// Makes a fiber for each item that the group has.
static void begin_group(void) {
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
}

// False if the kernel is none: its items wait for each other in different places.
static bool emulate_group(void) {
  begin_group();
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
