// emulated_launches.h - Launches kernels, and compares what they say and leave with emulation.h.
//
// Each kernel runs on a few ranges and with several plans: no trap that fails, each by itself,
// some, all. A launch that hangs or crashes ends the process with its name.
#ifndef EMULATED_LAUNCHES_H
#define EMULATED_LAUNCHES_H

#include "emulation.h"
#include <signal.h>
#include <time.h>
#include <unistd.h>

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

// One of some ranges, which the number chooses.
static ka_ndrange choose_range(const struct tested_kernel *kernel, unsigned number) {
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
  ka_ndrange range;
  if (kernel->group[0]) {
    range = kernel->group[1] > 1 ? ka_range(13, 10, 3) : ka_range((size_t)sizes[number % 7]);
    if (number & 8)
      memcpy(range.group, kernel->group, sizeof kernel->group);
    return range;
  }
  int shape = (int)(number % (shapes + kernel->any_group));
  if (shape == shapes)
    return number & 16 ? ka_range(777) : ka_range(37, 17); // in rows not too short to be cut
  range = ka_range(1, 1, 1);
  memcpy(range.size, all[shape].size, sizeof range.size);
  memcpy(range.group, all[shape].group, sizeof range.group);
  memcpy(range.offset, all[shape].offset, sizeof range.offset);
  range.dimensions = all[shape].dimensions;
  return range;
}

// The number of an item's group, with x fastest.
static int group_of(int item, const ka_ndrange *r, const struct tested_kernel *kernel) {
  size_t group = 0, at = (size_t)item;
  const size_t id[3] = {at % r->size[0], at / r->size[0] % r->size[1],
                        at / r->size[0] / r->size[1]};
  for (int k = 2; k >= 0; k--) {
    size_t items = r->group[0] ? r->group[k] : kernel->group[0] ? kernel->group[k] : 1;
    group = group * ((r->size[k] + items - 1) / items) + id[k] / items;
  }
  return (int)group;
}

static void watch_signals(void) {
  signal(SIGALRM, ended_by);
  static char stack[64 << 10];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (int k = 0; k < 5; k++)
    sigaction(deadly[k], &(struct sigaction){.sa_handler = ended_by, .sa_flags = SA_ONSTACK}, NULL);
  if (getenv("LAUNCH_SECONDS"))
    launch_seconds = atoi(getenv("LAUNCH_SECONDS"));
}

// From the first-th on, as those before may have ended the process; `geometries` of each.
static int run_kernels(const struct tested_kernel *kernels, int count, int first, int geometries,
                       unsigned seed, const char *file) {
  watch_signals();
  backend();
  for (int c = first; c < count; c++) {
    const struct tested_kernel *kernel = &kernels[c];
    printf("%s begins\n", kernel->name);
    fflush(stdout); // for whoever reads this after the driver has ended the process
    for (int g = 0; g < geometries; g++) {
      unsigned number = seed * 7919 + (unsigned)(c * 31 + g);
      struct plan plan = {.range = choose_range(kernel, number)};
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
        plan.bad_group = plan.bad < 0 ? -1 : group_of(plan.bad, r, kernel);
        run(kernel, &plan, number & 0xff, file);
      }
    }
  }
  printf("%d launches, %d of which fail\n", launches, failing_launches);
  return check_result();
}

#endif
