/* hold_own PATTERN THREADS ROUNDS: prints how many nanoseconds of processor time it takes to find
 * and mark the allocation that one pointer argument lies in, among 100000 live allocations.
 *
 * "own": each thread has pointers of its own, the same in each launch; "shared": all threads have
 * the same; "any": each launch has others, at random, into the middle of allocations, so that the
 * figure is what the machine needs for memory that is in no cache. Four pointers are a launch. It
 * is linked with the static libka, whose list of backends is replaced here. */
#include "runtime/core/current.h"
#include "runtime/core/queue.h"
#include "runtime/core/registry.h"
#include "test/runtime/support/empty_backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LIVE = 100000, BYTES = 1024, ARGUMENTS = 4, MOST_THREADS = 64 };

const struct ka__backend_table *const ka__backend_tables[] = {&empty_backend, NULL};

static char *live[LIVE];
static enum { OWN, SHARED, ANY } pattern;
static long rounds;
static pthread_barrier_t together;

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static double thread_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

struct thread {
  pthread_t thread;
  size_t number;
  double ns; /* of one pointer; negative: failed */
};

static void *run(void *argument) {
  struct thread *me = argument;
  me->ns = -1;
  ka_status status;
  struct ka__queue *queue = ka__queue_of_thread(ka_default_backend(), &status);
  pthread_barrier_wait(&together);
  if (!queue)
    return NULL;
  uint64_t random = me->number * 7919 + 1;
  bool good = true;
  double start = thread_ns();
  for (long r = 0; r < rounds; r++) {
    uint64_t ticket;
    const char *pointers[ARGUMENTS];
    good = ka__queue_ticket(queue, &ticket) == KA_OK && good;
    for (size_t a = 0; a < ARGUMENTS; a++)
      pointers[a] = pattern == ANY   ? live[next_random(&random) % LIVE] + random % BYTES
                    : pattern == OWN ? live[me->number * ARGUMENTS + a]
                                     : live[a];
    struct ka__place place;
    for (size_t a = 0; a < ARGUMENTS; a++)
      good = (ka__registry_hold_again(pointers[a], queue, ticket) ||
              ka__registry_hold(pointers[a], queue, ticket, &place) == KA_OK) &&
             good;
    ka__queue_submitted(queue, ticket);
  }
  double ns = (thread_ns() - start) / (double)rounds / ARGUMENTS;
  me->ns = good ? ns : -1;
  return NULL;
}

/* The start of launches beside each other in memory shall not be the order of the heap. */
static bool allocate(ka_backend *backend) {
  uint64_t random = 1;
  for (size_t i = 0; i < LIVE; i++) {
    size_t at = next_random(&random) % (i + 1);
    live[i] = live[at];
    live[at] = ka_alloc(backend, BYTES);
    if (!live[at])
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  long threads = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
  rounds = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
  if (threads < 1 || threads > MOST_THREADS || rounds < 1) {
    fprintf(stderr, "usage: %s own|shared|any THREADS ROUNDS\n", argv[0]);
    return 1;
  }
  pattern = strcmp(argv[1], "own") == 0 ? OWN : strcmp(argv[1], "shared") == 0 ? SHARED : ANY;
  ka_backend *backend = ka_default_backend();
  if (!backend || !allocate(backend)) {
    fprintf(stderr, "%s: %s\n", argv[0], ka_error_message());
    return 1;
  }
  static struct thread all[MOST_THREADS];
  pthread_barrier_init(&together, NULL, (unsigned)threads);
  long started = 0;
  for (; started < threads; started++) {
    all[started].number = (size_t)started;
    if (pthread_create(&all[started].thread, NULL, run, &all[started]) != 0) {
      fprintf(stderr, "%s: no more threads\n", argv[0]);
      return 1;
    }
  }
  double sum = 0;
  for (long t = 0; t < threads; t++) {
    pthread_join(all[t].thread, NULL);
    if (all[t].ns < 0) {
      fprintf(stderr, "%s: a pointer was not found\n", argv[0]);
      return 1;
    }
    sum += all[t].ns;
  }
  printf("%.2f\n", sum / (double)threads);
  return 0;
}
