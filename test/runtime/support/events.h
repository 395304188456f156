/* What tests of events do again and again. A kernel that must not end before something has happened
 * waits for the host's word: hold and let_go. */
#ifndef KA_TEST_RUNTIME_SUPPORT_EVENTS_H
#define KA_TEST_RUNTIME_SUPPORT_EVENTS_H

#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static ka_backend *be;

static inline int *zeros(size_t count) {
  int *p = ka_alloc_zeroed(be, count * sizeof *p);
  CHECK(p);
  return p;
}

static inline ka_event *record(void) {
  ka_event *event;
  CHECK_OK(ka_record_event(be, &event));
  CHECK(event);
  return event;
}

static inline void add_one(int *p) { CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1)); }

static inline pthread_t start(void *(*run)(void *), void *argument) {
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, run, argument), 0);
  return thread;
}

static inline void join(pthread_t thread) { CHECK_INT(pthread_join(thread, NULL), 0); }

static inline void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0)
    CHECK_INT(errno, EINTR);
}

static int *words;

static inline void open_device(void) {
  be = test_backend();
  ka_device_properties p;
  CHECK_OK(ka_device_info(be, 0, &p));
  if (!p.host_atomics || p.compute_units < 2)
    test_skip("the host cannot tell a running kernel anything, or only one kernel runs at a time");
  words = zeros(192);
}

static inline void hold(void) {
  __atomic_store_n(&words[64], 0, __ATOMIC_RELAXED);
  CHECK_OK(LAUNCH(be, ka_range(1), meet, words, words + 64, UINT64_MAX, words + 128));
}

static inline void let_go(void) { __atomic_store_n(&words[64], 1, __ATOMIC_RELEASE); }

static inline void wait_until_held(void) {
  while (!__atomic_load_n(&words[0], __ATOMIC_ACQUIRE))
    ;
}

static inline void open_two(void) {
  setenv("POCL_DEVICES", "cpu cpu", 1);
  open_device();
  CHECK_INT(ka_num_devices(be), 2);
}

#endif
