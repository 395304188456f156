/* The group "copy": ka_copy and ka_fill, each with its ka_synchronize, beside memcpy and memset on
 * the same memory. All of it was written before, so that no page is missing. */
#include "groups.h"
#include "measure.h"

#include <ka/ka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Promised for much memory. Of 64 KiB the call itself is a tenth of the time. */
static const double BOUND = 1.1;

struct problem {
  ka_backend *be;
  char *to, *from;
  size_t bytes;
  int repeats; /* so many in a row, for what is too short for the clock */
};

static bool good(ka_status status) {
  if (status != KA_OK)
    fprintf(stderr, "ka-bench: copy: %s\n", ka_error_message());
  return status == KA_OK;
}

/* Keeps the compiler from leaving out what nobody reads. */
static void is_used(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

static double microseconds(double start, const struct problem *p) {
  return 1e6 * (measure_now() - start) / p->repeats;
}

static double copy_ka(void *state) {
  const struct problem *p = state;
  double start = measure_now();
  for (int i = 0; i < p->repeats; ++i)
    if (!good(ka_copy(p->be, p->to, p->from, p->bytes)) || !good(ka_synchronize(p->be)))
      return -1;
  return microseconds(start, p);
}

static double copy_peer(void *state) {
  const struct problem *p = state;
  double start = measure_now();
  for (int i = 0; i < p->repeats; ++i) {
    memcpy(p->to, p->from, p->bytes);
    is_used(p->to);
  }
  return microseconds(start, p);
}

static double fill_with(const struct problem *p, const void *value, size_t value_bytes) {
  double start = measure_now();
  for (int i = 0; i < p->repeats; ++i)
    if (!good(ka_fill(p->be, p->to, value, value_bytes, p->bytes / value_bytes)) ||
        !good(ka_synchronize(p->be)))
      return -1;
  return microseconds(start, p);
}

static double fill_ka_byte(void *state) { return fill_with(state, "\x7f", 1); }

static double fill_ka_float(void *state) { return fill_with(state, &(float){1.5f}, sizeof(float)); }

static double fill_peer(void *state) {
  const struct problem *p = state;
  double start = measure_now();
  for (int i = 0; i < p->repeats; ++i) {
    memset(p->to, 0x7f, p->bytes);
    is_used(p->to);
  }
  return microseconds(start, p);
}

static bool measure_size(ka_backend *be, const char *size, size_t bytes, int repeats,
                         double bound) {
  struct problem p = {be, ka_alloc(be, bytes), ka_alloc(be, bytes), bytes, repeats};
  bool done = p.to && p.from;
  if (!done)
    fprintf(stderr, "ka-bench: copy: %s\n", ka_error_message());
  if (done) {
    memset(p.to, 1, bytes);
    memset(p.from, 2, bytes);
    const struct {
      const char *what, *peer;
      double (*ka)(void *), (*other)(void *);
    } cases[] = {{"copy", "memcpy", copy_ka, copy_peer},
                 {"fill, char", "memset", fill_ka_byte, fill_peer},
                 {"fill, float", "memset", fill_ka_float, fill_peer}};
    for (int i = 0; done && i < 3; ++i) {
      char name[64];
      snprintf(name, sizeof name, "%s, %s", cases[i].what, size);
      done = measure_compare(&(struct comparison){"copy", name, "us", cases[i].peer, bound,
                                                  cases[i].ka, cases[i].other, &p});
    }
  }
  ka_free(p.to);
  ka_free(p.from);
  return done;
}

bool group_copy(void) {
  ka_backend *be = ka_default_backend();
  if (!be) {
    fprintf(stderr, "ka-bench: copy: %s\n", ka_error_message());
    return false;
  }
  bool quick = measure_effort()->quick;
  return measure_size(be, "64 KiB", (size_t)64 << 10, quick ? 1 : 100, 0) &&
         measure_size(be, "256 MiB", (size_t)(quick ? 1 : 256) << 20, 1, BOUND);
}
