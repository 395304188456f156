/* The group "saxpy": three types, sizes from 64 to 1 Mi, launch and wait.
 *
 * "default": nobody gives a group size; on both sides the runtime chooses. "static 1024": the
 * kernel has one. By hand a range below 1024 is rounded up and the kernel checks its bound, as
 * OpenCL wants it; ka does that by itself.
 * "group": the group size that ka chooses beside all powers of two from 16 to 4096.
 */
#include "groups.h"
#include "measure.h"
#include "saxpy_kernels.h"
#include "work.h"

#include <math.h>
#include <stdio.h>

enum { SIZES = 8, GROUPS = 9, MOST_ROUNDS = 2000 };

/* What is promised of the chosen group size, beside the best. */
static const double WORST_GROUP = 1.1;

static const struct {
  size_t n;
  const char *name;
} sizes[SIZES] = {{1 << 6, "64"},    {1 << 8, "256"},   {1 << 10, "1Ki"},   {1 << 12, "4Ki"},
                  {1 << 14, "16Ki"}, {1 << 16, "64Ki"}, {1 << 18, "256Ki"}, {1 << 20, "1Mi"}};

struct type {
  const char *name, *peer, *peer_static, *peer_bound;
  size_t bytes;
  void (*launch)(struct work *work, ka_ndrange range);
  void (*launch_static)(struct work *work, ka_ndrange range);
  void (*set_arguments)(struct work *work, cl_kernel kernel);
  void (*set_arguments_bound)(struct work *work, cl_kernel kernel);
  void (*set_number)(void *array, size_t i, double value);
};

/* Powers of two and few of them: sums stay exact, so that both sides must give the same bits. */
static const double factor = 0.5;

#define FUNCTIONS(name, type)                                                                      \
  static void launch_##name(struct work *w, ka_ndrange range) {                                    \
    KA_CHECK(ka_launch(                                                                            \
        work_backend, range,                                                                       \
        saxpy_##name((type)factor, (const type *)w->buffer[0][0], (type *)w->buffer[0][1])));      \
  }                                                                                                \
  static void launch_##name##_1024(struct work *w, ka_ndrange range) {                             \
    KA_CHECK(ka_launch(work_backend, range,                                                        \
                       saxpy_##name##_1024((type)factor, (const type *)w->buffer[0][0],            \
                                           (type *)w->buffer[0][1])));                             \
  }                                                                                                \
  static void set_##name(struct work *w, cl_kernel kernel) {                                       \
    work_set(kernel, 0, sizeof(type), &(type){(type)factor});                                      \
    work_set_pointer(kernel, 1, w->buffer[1][0]);                                                  \
    work_set_pointer(kernel, 2, w->buffer[1][1]);                                                  \
  }                                                                                                \
  static void set_##name##_bound(struct work *w, cl_kernel kernel) {                               \
    set_##name(w, kernel);                                                                         \
    work_set(kernel, 3, sizeof(cl_ulong), &(cl_ulong){w->n});                                      \
  }                                                                                                \
  static void number_##name(void *array, size_t i, double value) {                                 \
    ((type *)array)[i] = (type)value;                                                              \
  }
SAXPY_TYPES(FUNCTIONS)

#define TYPE(name, type)                                                                           \
  {#name,                                                                                          \
   "saxpy_" #name,                                                                                 \
   "saxpy_" #name "_1024",                                                                         \
   "saxpy_" #name "_1024_bound",                                                                   \
   sizeof(type),                                                                                   \
   launch_##name,                                                                                  \
   launch_##name##_1024,                                                                           \
   set_##name,                                                                                     \
   set_##name##_bound,                                                                             \
   number_##name},
static const struct type types[] = {SAXPY_TYPES(TYPE)};

static struct work work_of(const struct type *type, size_t n, bool is_static) {
  bool bound = is_static && n % SAXPY_STATIC_GROUP != 0;
  const char *name = !is_static ? type->peer : bound ? type->peer_bound : type->peer_static;
  return (struct work){.name = name,
                       .bytes = {n * type->bytes, n * type->bytes},
                       .n = n,
                       .size = {n},
                       .group = {is_static ? SAXPY_STATIC_GROUP : 0},
                       .launches = 1,
                       .launch = is_static ? type->launch_static : type->launch,
                       .set_arguments = bound ? type->set_arguments_bound : type->set_arguments};
}

static bool prepare(struct work *w, const struct type *type) {
  if (!work_prepare(w))
    return false;
  for (int side = 0; side < 2; ++side)
    for (size_t i = 0; i < w->n; ++i) {
      type->set_number(w->buffer[side][0], i, (double)(i % 64) / 64);
      type->set_number(w->buffer[side][1], i, (double)(i % 32) / 32);
    }
  return work_agree_exactly(w, 1);
}

/* ---- ka beside OpenCL C ---- */

/* What a line shows. */
struct pair {
  double ka, peer, ratio;
  int runs;
};

static bool compare_size(const struct type *type, int size, bool is_static, struct pair *pair) {
  struct work w = work_of(type, sizes[size].n, is_static);
  char name[64];
  snprintf(name, sizeof name, "%s, %s, %s", type->name, is_static ? "static 1024" : "default",
           sizes[size].name);
  struct figure figure;
  bool good = prepare(&w, type) &&
              measure(&(struct comparison){"saxpy", name, "us", "OpenCL C by hand", 0, work_run_ka,
                                           work_run_peer, &w},
                      &figure) &&
              measure_report(&figure);
  if (good)
    *pair = (struct pair){figure.ka, figure.peer, figure.ratio, figure.runs};
  work_release(&w);
  return good;
}

static bool compare_type(const struct type *type, bool is_static) {
  double ka = 0, peer = 0, ratio = 0;
  int runs = 0;
  for (int size = 0; size < SIZES; ++size) {
    struct pair pair;
    if (!compare_size(type, size, is_static, &pair))
      return false;
    ka += log(pair.ka) / SIZES;
    peer += log(pair.peer) / SIZES;
    ratio += log(pair.ratio) / SIZES;
    runs = pair.runs;
  }
  char name[64];
  snprintf(name, sizeof name, "%s, %s, geomean", type->name, is_static ? "static 1024" : "default");
  return measure_report(&(struct figure){.group = "saxpy",
                                         .name = name,
                                         .unit = "us",
                                         .ka = exp(ka),
                                         .peer_name = "OpenCL C by hand",
                                         .peer = exp(peer),
                                         .ratio = exp(ratio),
                                         .bound = 1.05,
                                         .runs = runs});
}

/* ---- The chosen group size beside given ones ---- */

/* Times of one launch and wait: [0] with the chosen group, [1 + g] with 16 << g. The rounds of even
 * and of odd number are apart. */
struct rounds {
  int groups, count; /* count: of each half */
  double times[2][1 + GROUPS][MOST_ROUNDS / 2];
  double ratios[2][1 + GROUPS]; /* of the chosen group's time to this one's */
};

/* A launch finds the driver's threads as the one before left them, so nobody may always follow the
 * same. */
static void shuffle(int *order, int count, unsigned *seed) {
  for (int i = 0; i < count; ++i)
    order[i] = i;
  for (int i = count - 1; i > 0; --i) {
    *seed = *seed * 1664525u + 1013904223u;
    int other = (int)((*seed >> 16) % (unsigned)(i + 1)), last = order[i];
    order[i] = order[other];
    order[other] = last;
  }
}

static void measure_rounds(struct work *w, struct rounds *r) {
  const struct effort *effort = measure_effort();
  double end = measure_now() + effort->seconds;
  int most = effort->quick ? 4 : MOST_ROUNDS;
  r->count = 0;
  unsigned seed = 1;
  for (int round = 0; round < most && (round < 10 || round % 2 == 1 || measure_now() < end);
       ++round) {
    int order[1 + GROUPS];
    shuffle(order, r->groups + 1, &seed);
    for (int i = 0; i <= r->groups; ++i) {
      int which = order[i];
      w->group[0] = which == 0 ? 0 : (size_t)16 << (which - 1);
      r->times[round % 2][which][r->count] = work_run_ka(w);
    }
    r->count += round % 2;
  }
  for (int half = 0; half < 2; ++half)
    for (int which = 0; which <= r->groups; ++which)
      r->ratios[half][which] = measure_ratio(r->times[half][0], r->times[half][which], r->count);
}

static int best_group(const double *ratios, int groups) {
  int best = 1;
  for (int which = 2; which <= groups; ++which)
    if (ratios[which] > ratios[best])
      best = which;
  return best;
}

/* The best of nine is partly luck. So the group that is best in one half of the rounds is
 * timed by the other half, where it had no luck to be chosen for; both ways, and the mean. */
static bool compare_groups(const struct type *type, int size, size_t max_group, struct pair *pair) {
  static struct rounds rounds;
  struct work w = work_of(type, sizes[size].n, false);
  bool good = prepare(&w, type);
  if (good) {
    rounds.groups = 0;
    while (rounds.groups < GROUPS && ((size_t)16 << rounds.groups) <= max_group &&
           ((size_t)16 << rounds.groups) <= w.n)
      ++rounds.groups;
    measure_rounds(&w, &rounds);
    int even = best_group(rounds.ratios[0], rounds.groups);
    int odd = best_group(rounds.ratios[1], rounds.groups);
    *pair = (struct pair){.ratio = sqrt(rounds.ratios[0][odd] * rounds.ratios[1][even]),
                          .runs = 2 * rounds.count};
    for (int half = 0; half < 2; ++half) {
      int best = half == 0 ? odd : even;
      pair->ka += measure_quantile(rounds.times[half][0], rounds.count, 0.5) / 2;
      pair->peer += measure_quantile(rounds.times[half][best], rounds.count, 0.5) / 2;
    }
    char name[64], peer[64];
    snprintf(name, sizeof name, "%s, group, %s", type->name, sizes[size].name);
    snprintf(peer, sizeof peer, "group of %d", 16 << (even - 1));
    if (odd != even)
      snprintf(peer, sizeof peer, "group of %d or %d", 16 << (even - 1), 16 << (odd - 1));
    good = measure_report(
        &(struct figure){.group = "saxpy",
                         .name = name,
                         .unit = "us",
                         .ka = pair->ka,
                         .peer_name = peer,
                         .peer = pair->peer,
                         .ratio = pair->ratio,
                         .bound = WORST_GROUP,
                         .runs = pair->runs,
                         .spread = measure_spread(rounds.times[0][0], rounds.count)});
  }
  work_release(&w);
  return good;
}

static bool compare_all_groups(const struct type *type, size_t max_group) {
  struct pair worst = {0};
  char name[64], peer[64] = "";
  for (int size = 0; size < SIZES; ++size) {
    struct pair pair;
    if (!compare_groups(type, size, max_group, &pair))
      return false;
    if (size == 0 || pair.ratio > worst.ratio) {
      worst = pair;
      snprintf(peer, sizeof peer, "the best group at %s", sizes[size].name);
    }
  }
  snprintf(name, sizeof name, "%s, group, worst", type->name);
  return measure_report(&(struct figure){.group = "saxpy",
                                         .name = name,
                                         .unit = "us",
                                         .ka = worst.ka,
                                         .peer_name = peer,
                                         .peer = worst.peer,
                                         .ratio = worst.ratio,
                                         .bound = WORST_GROUP,
                                         .runs = worst.runs});
}

/* ---- */

static const char *missing(const struct type *type, const ka_device_properties *properties) {
  if (type->bytes == 2 && !properties->fp16)
    return "the device has no 16-bit floating point";
  if (type->bytes == 8 && !properties->fp64)
    return "the device has no 64-bit floating point";
  return NULL;
}

bool group_saxpy(void) {
  ka_device_properties properties;
  if (!work_open())
    return false;
  KA_CHECK(ka_device_info(work_backend, ka_get_device(work_backend), &properties));
  bool good = true;
  for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
    const char *why = missing(&types[t], &properties);
    good = good && (why ? measure_missing("saxpy", types[t].name, "us", why)
                        : compare_type(&types[t], false) && compare_type(&types[t], true) &&
                              compare_all_groups(&types[t], properties.max_group_size));
  }
  return good;
}
