/* Each part uses one side of the interface and compares what comes out with plain C. A new function
 * of the interface gets its call here: test-fault_injection says which are missing. */
#include "test/runtime/support/whole_program.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static enum faults faults;
static _Atomic int failures;
static _Atomic ka_status last_failure;
static struct written_module module;

/* What a fault of the driver or of memory may be reported as. */
static bool is_fault(ka_status status) {
  switch (status) {
  case KA_ERROR_NO_BACKEND:
  case KA_ERROR_NO_DEVICE:
  case KA_ERROR_BUILD_FAILED:
  case KA_ERROR_OUT_OF_MEMORY:
  case KA_ERROR_OUT_OF_DEVICE_MEMORY:
  case KA_ERROR_DRIVER:
  case KA_ERROR_KERNEL_FAILED:
    return true;
  default:
    return false;
  }
}

static void failed(ka_status status, const char *call, int line) {
  if (faults == NO_FAULT)
    test_fail(__FILE__, line, "%s: %s: %s", call, ka_status_name(status), ka_error_message());
  if (!is_fault(status))
    test_fail(__FILE__, line, "%s is %s, which no fault explains: %s", call, ka_status_name(status),
              ka_error_message());
  if (!*ka_error_message())
    test_fail(__FILE__, line, "%s failed without a text", call);
  atomic_store(&last_failure, status);
  atomic_fetch_add(&failures, 1);
}

static bool is_ok(ka_status status, const char *call, int line) {
  if (status != KA_OK)
    failed(status, call, line);
  return status == KA_OK;
}

static bool is_ok_again(ka_status status, const char *call, int line) {
  if (status != KA_OK)
    test_fail(__FILE__, line, "%s failed again: %s: %s", call, ka_status_name(status),
              ka_error_message());
  return true;
}

/* Whether the call succeeded, if need be at the second attempt. */
#define TRY(call)                                                                                  \
  (is_ok((call), #call, __LINE__) || (faults == ONE_FAULT && is_ok_again((call), #call, __LINE__)))

/* The same for calls that return a pointer. No status comes with it. */
#define TRY_POINTER(pointer, call)                                                                 \
  (((pointer) = (call)) || (failed(KA_ERROR_DRIVER, #call, __LINE__), false) ||                    \
   (faults == ONE_FAULT &&                                                                         \
    (((pointer) = (call)) || is_ok_again(KA_ERROR_DRIVER, #call, __LINE__))))

#define RUN(be, range, kernel, ...)                                                                \
  TRY(ka__launch((be), (range), &module.kernels[K_##kernel], &(struct args_##kernel){__VA_ARGS__}, \
                 sizeof(struct args_##kernel)))

/* Everything of this thread's queue is over, one way or the other. */
static bool settle(ka_backend *be) { return TRY(ka_synchronize(be)); }

/* ---- Parts: `good` says that nothing failed for good, so results must be right ---- */

static void ask(ka_backend *be) {
  ka_device_properties p;
  void *opened;
  CHECK(*ka_backend_name_at(0));
  CHECK(!ka_backend_name_at(100));
  CHECK(*ka_backend_name(be));
  CHECK(ka_backend_notes(be));
  CHECK(ka_num_devices(be) >= 1);
  CHECK_INT(ka_get_device(be), 0);
  if (TRY_POINTER(opened, ka_backend_open(ka_backend_name(be))))
    CHECK(opened == be);
  for (int d = 0; d < ka_num_devices(be); d++)
    if (TRY(ka_device_info(be, d, &p)))
      CHECK(*p.name && p.max_group_size && p.memory_bytes);
}

enum { N = 1000 };

static void copy_and_fill(ka_backend *be) {
  static int host[N], back[N];
  for (int i = 0; i < N; i++)
    host[i] = i * i;
  int *p = NULL, *q = NULL;
  bool good = TRY_POINTER(p, ka_alloc(be, sizeof host));
  good = TRY_POINTER(q, ka_alloc_zeroed(be, sizeof host)) && good;
  if (good) {
    void *base;
    size_t bytes;
    CHECK(ka_backend_of(p) == be);
    CHECK(ka_allocation_of(q + 3, &base, &bytes));
    CHECK(base == q && bytes == sizeof host);
    good = TRY(ka_copy(be, p, host, sizeof host));
    good = TRY(ka_copy(be, q, p, sizeof host)) && good;
    good = TRY(ka_copy(be, back, q, sizeof host)) && good;
    if (settle(be) && good)
      CHECK(memcmp(back, host, sizeof host) == 0);
  }
  /* One byte, what drivers can fill with, and what they cannot. */
  static const size_t sizes[] = {1, 4, 16, 12, 300};
  for (size_t s = 0; good && s < sizeof sizes / sizeof *sizes; s++) {
    size_t bytes = sizes[s], count = 1200 / bytes;
    unsigned char value[300];
    for (size_t i = 0; i < bytes; i++)
      value[i] = (unsigned char)(i + s);
    good = TRY(ka_fill(be, q, value, bytes, count));
    if (settle(be) && good)
      for (size_t i = 0; i < bytes * count; i++)
        CHECK_INT(((unsigned char *)q)[i], value[i % bytes]);
  }
  CHECK_OK(ka_free(p));
  CHECK_OK(ka_free(q));
}

/* y = y + a x twice: by whole groups, and by groups that do not fit. */
static void scale_and_add(ka_backend *be) {
  float *x = NULL, *y = NULL;
  bool good = TRY_POINTER(x, ka_alloc(be, N * sizeof *x));
  good = TRY_POINTER(y, ka_alloc(be, N * sizeof *y)) && good;
  if (good) {
    for (int i = 0; i < N; i++) {
      x[i] = (float)i;
      y[i] = 1;
    }
    good = RUN(be, ka_with_group(ka_range(N), 50), saxpy, 2, x, y);
    good = RUN(be, ka_with_group(ka_range(N), 64), saxpy, 3, x, y) && good;
    good = RUN(be, ka_range(0), saxpy, 3, x, y) && good;
    CHECK_OK(ka_free(x)); /* in use, very likely */
    x = NULL;
    if (settle(be) && good)
      for (int i = 0; i < N; i++)
        CHECK_INT(y[i], 1 + 5 * i);
  }
  CHECK_OK(ka_free(x));
  CHECK_OK(ka_free(y));
}

static void three_dimensions(ka_backend *be) {
  enum { X = 7, Y = 5, Z = 3, ALL = X * Y * Z };
  int *count = NULL;
  uint64_t *ids = NULL;
  bool good = TRY_POINTER(count, ka_alloc_zeroed(be, ALL * sizeof *count));
  good = TRY_POINTER(ids, ka_alloc_zeroed(be, 3 * ALL * sizeof *ids)) && good;
  if (good) {
    ka_ndrange range = ka_with_offset(ka_with_group(ka_range(X, Y, Z), 4, 2, 1), 10, 20, 30);
    good = RUN(be, range, visit, count, ids);
    if (settle(be) && good)
      for (int at = 0; at < ALL; at++) {
        CHECK_INT(count[at], 1);
        CHECK_INT(ids[3 * at], 10 + at % X);
        CHECK_INT(ids[3 * at + 1], 20 + at / X % Y);
        CHECK_INT(ids[3 * at + 2], 30 + at / (X * Y));
      }
  }
  CHECK_OK(ka_free(count));
  CHECK_OK(ka_free(ids));
}

static void group_memory(ka_backend *be) {
  int *in = NULL, *out = NULL;
  uint64_t *sizes = NULL;
  bool good = TRY_POINTER(in, ka_alloc(be, 64 * sizeof *in));
  good = TRY_POINTER(out, ka_alloc(be, 5 * sizeof *out)) && good;
  good = TRY_POINTER(sizes, ka_alloc(be, 6 * sizeof *sizes)) && good;
  if (good) {
    for (int i = 0; i < 64; i++)
      in[i] = i;
    good = RUN(be, ka_with_group(ka_range(64), 16), group_sum, in, out, ka_scratch(64));
    good = RUN(be, ka_range(1), spare_local, out + 4, ka_scratch(100)) && good;
    good = RUN(be, ka_range(16, 8), fixed_groups, sizes) && good;
    if (settle(be) && good) {
      for (int g = 0; g < 4; g++)
        CHECK_INT(out[g], 16 * 16 * g + 120);
      CHECK_INT(out[4], 5);
      CHECK_INT(sizes[0], 8);
      CHECK_INT(sizes[1], 4);
      CHECK_INT(sizes[3], 16);
    }
  }
  CHECK_OK(ka_free(in));
  CHECK_OK(ka_free(out));
  CHECK_OK(ka_free(sizes));
}

static void many_arguments(ka_backend *be) {
  uint64_t *out = NULL;
  struct pair pair = {NULL, {NULL}, 10};
  int *is_null = NULL;
  bool good = TRY_POINTER(out, ka_alloc_zeroed(be, 2 * sizeof *out));
  good = TRY_POINTER(is_null, ka_alloc(be, sizeof *is_null)) && good;
  good = TRY_POINTER(pair.p, ka_alloc_zeroed(be, 10 * sizeof(int))) && good;
  good = TRY_POINTER(pair.in.q, ka_alloc_zeroed(be, 10 * sizeof(int))) && good;
  if (good) {
    struct args_many many = {out, {0}};
    uint64_t sum = 0;
    for (size_t i = 0; i < 39; i++)
      sum += (many.a[i] = i) * (i == 38 ? 2 : 1);
    for (int i = 0; i < 10; i++)
      pair.in.q[i] = i;
    good = TRY(ka__launch(be, ka_range(1), &module.kernels[K_many], &many, sizeof many));
    good = RUN(be, ka_range(10), add_pair, pair) && good;
    good = RUN(be, ka_range(1), add_pair, {NULL, {NULL}, 0}) && good;
    good = RUN(be, ka_range(1), is_null, is_null, NULL) && good;
    good = RUN(be, ka_with_group(ka_range(1000), 64), tally, out + 1, 10) && good;
    good = TRY(ka__launch(be, ka_range(1), &module.kernels[K_empty], NULL, 0)) && good;
    if (settle(be) && good) {
      CHECK_INT(out[0], sum);
      CHECK_INT(out[1], 990);
      CHECK_INT(*is_null, 1);
      for (int i = 0; i < 10; i++)
        CHECK_INT(pair.p[i], i);
    }
  }
  CHECK_OK(ka_free(out));
  CHECK_OK(ka_free(is_null));
  CHECK_OK(ka_free(pair.p));
  CHECK_OK(ka_free(pair.in.q));
}

/* More operations than a queue holds. */
static void full_queue(ka_backend *be) {
  int *p = NULL;
  if (TRY_POINTER(p, ka_alloc_zeroed(be, 2 * sizeof *p))) {
    int launched = 0;
    for (int i = 0; i < 1100; i++)
      launched += RUN(be, ka_range(1), slow, p, 1);
    if (settle(be))
      CHECK_INT(*p, launched);
  }
  CHECK_OK(ka_free(p));
}

/* More freed memory in use than the device may have, if it has 64 MiB. */
static void freed_in_use(ka_backend *be) {
  for (int i = 0; i < 12; i++) {
    int *p = NULL;
    if (TRY_POINTER(p, ka_alloc(be, (size_t)1 << 20)))
      (void)RUN(be, ka_range(1), slow, p, 20000);
    CHECK_OK(ka_free(p));
  }
  settle(be);
}

static void *in_a_thread(void *backend) {
  scale_and_add(backend);
  return NULL;
}

static void threads(ka_backend *be) {
  pthread_t ids[3];
  for (int i = 0; i < 3; i++)
    CHECK_INT(pthread_create(&ids[i], NULL, in_a_thread, be), 0);
  for (int i = 0; i < 3; i++)
    CHECK_INT(pthread_join(ids[i], NULL), 0);
}

static void devices(ka_backend *be) {
  for (int d = ka_num_devices(be) - 1; d >= 0; d--)
    if (TRY(ka_set_device(be, d)))
      scale_and_add(be);
}

static void close_module_in_use(ka_backend *be) {
  static struct written_module closed;
  int *p = NULL;
  module_create(&closed, test_kernel_specs, K_COUNT, test_spirv,
                (size_t)(test_spirv_end - test_spirv));
  bool good = TRY_POINTER(p, ka_alloc_zeroed(be, 2 * sizeof *p));
  if (good) {
    struct args_slow slow = {p, 1000};
    good = TRY(ka__launch(be, ka_range(1), &closed.kernels[K_slow], &slow, sizeof slow));
  }
  module_release(&closed);
  if (settle(be) && good)
    CHECK_INT(*p, 1);
  CHECK_OK(ka_free(p));
}

/* ---- */

int whole_program(enum faults faults_, ka_status *last) {
  faults = faults_;
  atomic_store(&failures, 0);
  atomic_store(&last_failure, KA_OK);
  module_create(&module, test_kernel_specs, K_COUNT, test_spirv,
                (size_t)(test_spirv_end - test_spirv));
  ka_backend *be;
  if (TRY_POINTER(be, ka_default_backend())) {
    ask(be);
    copy_and_fill(be);
    scale_and_add(be);
    three_dimensions(be);
    group_memory(be);
    many_arguments(be);
    full_queue(be);
    freed_in_use(be);
    threads(be);
    devices(be);
    close_module_in_use(be);
    settle(be);
  }
  module_release(&module);
  if (last)
    *last = atomic_load(&last_failure);
  return atomic_load(&failures);
}

void whole_program_leaves_work(void) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_zeroed(be, 2 * sizeof *p);
  CHECK(p);
  for (int i = 0; i < 10; i++)
    CHECK_OK(LAUNCH(be, ka_range(1), slow, p, 1000));
  CHECK_OK(ka_free(p));
}
