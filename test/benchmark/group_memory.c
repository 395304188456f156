/* The group "memory": ka_alloc and ka_free of sizes that come again and again, and what it costs a
 * launch to keep one pointer argument alive. */
#include "child.h"
#include "groups.h"
#include "measure.h"

#include <ka/ka.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { PAIRS = 10000, THREADS = 8, SIZES = 4 };

static ka_backend *backend;

static const size_t one_size[SIZES] = {65536, 65536, 65536, 65536};
static const size_t several_sizes[SIZES] = {65536, 300, 1 << 20, 4096};

/* Of processor time, so that threads which wait for a processor do not count as slow. */
static double thread_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double pairs_ns(void *state) {
  const size_t *sizes = state;
  double start = thread_ns();
  for (int i = 0; i < PAIRS; ++i) {
    void *memory = ka_alloc(backend, sizes[i % SIZES]);
    if (!memory || ka_free(memory) != KA_OK) {
      fprintf(stderr, "ka-bench: %s\n", ka_error_message());
      return -1;
    }
  }
  return (thread_ns() - start) / PAIRS;
}

struct thread {
  pthread_t thread;
  const size_t *sizes;
  double ns;
};

static void *run_thread(void *argument) {
  struct thread *me = argument;
  me->ns = pairs_ns((void *)me->sizes);
  return NULL;
}

static double threads_ns(void *state) {
  struct thread threads[THREADS];
  int started = 0;
  for (; started < THREADS; ++started) {
    threads[started].sizes = state;
    if (pthread_create(&threads[started].thread, NULL, run_thread, &threads[started]) != 0)
      break;
  }
  double sum = 0;
  for (int t = 0; t < started; ++t) {
    pthread_join(threads[t].thread, NULL);
    sum = sum < 0 || threads[t].ns < 0 ? -1 : sum + threads[t].ns;
  }
  return started < THREADS ? -1 : sum / THREADS;
}

static bool alloc_and_free(const char *name, double (*run)(void *), const size_t *sizes) {
  return measure_compare(
      &(struct comparison){"memory", name, "ns", NULL, 200, run, NULL, (void *)sizes});
}

static double hold_ns(void *state) { return child_number(state); }

static bool hold(const char *name, const char *pattern, double bound) {
  const char *arguments[] = {BENCHMARK_HOLD_OWN, pattern, "8",
                             measure_effort()->quick ? "10" : "100000", NULL};
  return measure_compare(
      &(struct comparison){"memory", name, "ns", NULL, bound, hold_ns, NULL, (void *)arguments});
}

bool group_memory(void) {
  backend = ka_default_backend();
  if (!backend) {
    fprintf(stderr, "ka-bench: %s\n", ka_error_message());
    return false;
  }
  return alloc_and_free("alloc + free, 64 KiB", pairs_ns, one_size) &&
         alloc_and_free("alloc + free, four sizes", pairs_ns, several_sizes) &&
         alloc_and_free("alloc + free, 64 KiB, 8 threads", threads_ns, one_size) &&
         alloc_and_free("alloc + free, four sizes, 8 threads", threads_ns, several_sizes) &&
         hold("keep alive, a pointer, 8 threads", "own", 50) &&
         hold("keep alive, a shared pointer, 8 threads", "shared", 50) &&
         hold("keep alive, any pointer, 8 threads", "any", 0);
}
