/* Each part uses one side of the interface and compares what comes out with plain C. It works on
 * devices with every kind of memory: data goes there and back by copies. A new function of the
 * interface gets its call here: runtime.whole-program says which are missing. */
#include "test/runtime/support/whole_program.h"
#include "test/runtime/support/kernels.h"
#include "test/runtime/support/test.h"
#include "test/runtime/support/trying.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static struct written_module module;

#define LAUNCH_ARGS(be, range, kernel, args)                                                       \
  TRY(ka__launch((be), (range), &module.kernels[K_##kernel], &(args), sizeof(args)))
#define RUN(be, range, kernel, ...)                                                                \
  LAUNCH_ARGS(be, range, kernel, ((struct args_##kernel){__VA_ARGS__}))

/* ---- Data ---- */

enum { ARRAYS = 4 };

/* The arrays of one part: each on the host and, with the same content, on the device. */
struct arrays {
  ka_backend *be;
  bool good; /* nothing failed for good so far, so results must be right */
  int count;
  struct array {
    void *host, *device;
    size_t bytes;
  } all[ARRAYS];
};

static void *give(struct arrays *arrays, const void *content, size_t bytes) {
  ka_backend *be = arrays->be;
  struct array *a = &arrays->all[arrays->count++];
  ka_device_properties p = {0};
  a->bytes = bytes;
  a->host = malloc(bytes);
  CHECK(a->host);
  memcpy(a->host, content, bytes);
  (void)TRY(ka_device_info(be, ka_get_device(be), &p));
  if (p.unified && arrays->count % 2)
    arrays->good &= TRY_POINTER(a->device, ka_alloc(be, bytes));
  else if (p.unified)
    arrays->good &= TRY_POINTER(a->device, ka_alloc_zeroed(be, bytes));
  else
    arrays->good &= TRY_POINTER(a->device, ka_alloc_device(be, bytes));
  if (a->device)
    arrays->good &= TRY(ka_copy(be, a->device, a->host, bytes));
  else
    arrays->good = false;
  return a->device;
}

/* Brings everything back to the host. Whether the results must be right. */
static bool settle(struct arrays *arrays) {
  for (int i = 0; i < arrays->count; i++) {
    struct array *a = &arrays->all[i];
    if (a->device)
      arrays->good &= TRY(ka_copy(arrays->be, a->host, a->device, a->bytes));
  }
  return TRY(ka_synchronize(arrays->be)) && arrays->good;
}

/* Host memory that copies may still use, because waiting for them failed. */
static struct array left[1024];
static _Atomic int left_count;

static void end(struct arrays *arrays) {
  bool over = TRY(ka_synchronize(arrays->be));
  for (int i = 0; i < arrays->count; i++) {
    CHECK_OK(ka_free(arrays->all[i].device));
    if (over)
      free(arrays->all[i].host);
    else
      left[atomic_fetch_add(&left_count, 1)] = arrays->all[i];
  }
}

/* ---- Parts ---- */

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
      CHECK(p.max_group_size && p.memory_bytes);
}

/* Too many bytes to be copied and filled at once by the calling thread. */
enum { MANY = 40000 };

static void copy_and_fill(ka_backend *be) {
  struct arrays arrays = {.be = be, .good = true};
  static int numbers[MANY], zeros[MANY];
  for (int i = 0; i < MANY; i++)
    numbers[i] = i;
  char *p = give(&arrays, numbers, sizeof numbers), *q = give(&arrays, zeros, sizeof zeros);
  if (arrays.good) {
    void *base;
    size_t bytes;
    CHECK(ka_backend_of(p) == be);
    CHECK(ka_memory_kind_of(p) != KA_MEMORY_HOST);
    CHECK(ka_allocation_of(q + 3, &base, &bytes));
    CHECK(base == q && bytes == sizeof zeros);
    arrays.good = TRY(ka_copy(be, q, p, sizeof numbers));
    arrays.good = TRY(ka_copy(be, q, p, 40)) && arrays.good;
  }
  bool locked = TRY(ka_pagelock(be, arrays.all[1].host, sizeof numbers));
  if (settle(&arrays))
    CHECK(memcmp(arrays.all[1].host, numbers, sizeof numbers) == 0);
  if (locked)
    (void)TRY(ka_pageunlock(be, arrays.all[1].host));
  /* One byte, what drivers can fill with, and what they cannot; short and long. */
  static const size_t sizes[] = {1, 4, 16, 12, 300};
  for (size_t s = 0; arrays.good && s < 2 * sizeof sizes / sizeof *sizes; s++) {
    size_t bytes = sizes[s / 2], count = (s % 2 ? sizeof zeros : 1200) / bytes;
    unsigned char value[300], *filled = arrays.all[1].host;
    for (size_t i = 0; i < bytes; i++)
      value[i] = (unsigned char)(i + s);
    arrays.good = TRY(ka_fill(be, q, value, bytes, count));
    if (settle(&arrays))
      for (size_t i = 0; i < bytes * count; i++)
        if (filled[i] != value[i % bytes])
          CHECK_INT(filled[i], value[i % bytes]);
  }
  end(&arrays);
}

/* y = y + a x twice: by whole groups, and by groups that do not fit. */
static void scale_and_add(ka_backend *be) {
  enum { N = 1000 };
  struct arrays arrays = {.be = be, .good = true};
  float numbers[N], ones[N];
  for (int i = 0; i < N; i++) {
    numbers[i] = (float)i;
    ones[i] = 1;
  }
  float *x = give(&arrays, numbers, sizeof numbers), *y = give(&arrays, ones, sizeof ones);
  if (arrays.good) {
    arrays.good = RUN(be, ka_with_group(ka_range(N), 50), saxpy, 2, x, y);
    arrays.good = RUN(be, ka_with_group(ka_range(N), 64), saxpy, 3, x, y) && arrays.good;
    arrays.good = RUN(be, ka_range(0), saxpy, 3, x, y) && arrays.good;
    CHECK_OK(ka_free(x)); /* in use, very likely */
    arrays.all[0].device = NULL;
  }
  if (settle(&arrays))
    for (int i = 0; i < N; i++)
      CHECK_INT(((float *)arrays.all[1].host)[i], 1 + 5 * i);
  end(&arrays);
}

static void three_dimensions(ka_backend *be) {
  enum { X = 7, Y = 5, Z = 3, ALL = X * Y * Z };
  struct arrays arrays = {.be = be, .good = true};
  int no_count[ALL] = {0};
  uint64_t no_ids[3 * ALL] = {0};
  int *count = give(&arrays, no_count, sizeof no_count);
  uint64_t *ids = give(&arrays, no_ids, sizeof no_ids);
  if (arrays.good)
    arrays.good = RUN(be, ka_with_offset(ka_with_group(ka_range(X, Y, Z), 4, 2, 1), 10, 20, 30),
                      visit, count, ids);
  if (settle(&arrays)) {
    count = arrays.all[0].host;
    ids = arrays.all[1].host;
    for (int at = 0; at < ALL; at++) {
      CHECK_INT(count[at], 1);
      CHECK_INT(ids[3 * at], 10 + at % X);
      CHECK_INT(ids[3 * at + 1], 20 + at / X % Y);
      CHECK_INT(ids[3 * at + 2], 30 + at / (X * Y));
    }
  }
  end(&arrays);
}

static void group_memory(ka_backend *be) {
  struct arrays arrays = {.be = be, .good = true};
  int numbers[64], none[5] = {0};
  uint64_t no_sizes[6] = {0};
  for (int i = 0; i < 64; i++)
    numbers[i] = i;
  int *in = give(&arrays, numbers, sizeof numbers), *out = give(&arrays, none, sizeof none);
  uint64_t *sizes = give(&arrays, no_sizes, sizeof no_sizes);
  if (arrays.good) {
    ka_ndrange range = ka_with_group(ka_range(64), 16);
    arrays.good = RUN(be, range, group_sum, in, out, ka_scratch(64));
    arrays.good = RUN(be, ka_range(1), spare_local, out + 4, ka_scratch(100)) && arrays.good;
    arrays.good = RUN(be, ka_range(16, 8), fixed_groups, sizes) && arrays.good;
  }
  if (settle(&arrays)) {
    out = arrays.all[1].host;
    sizes = arrays.all[2].host;
    for (int g = 0; g < 4; g++)
      CHECK_INT(out[g], 16 * 16 * g + 120);
    CHECK_INT(out[4], 5);
    CHECK_INT(sizes[0], 8);
    CHECK_INT(sizes[1], 4);
    CHECK_INT(sizes[3], 16);
  }
  end(&arrays);
}

static void many_arguments(ka_backend *be) {
  struct arrays arrays = {.be = be, .good = true};
  uint64_t zero[2] = {0}, sum = 0;
  int numbers[10], zeros[10] = {0}, seven = 7;
  for (int i = 0; i < 10; i++)
    numbers[i] = i;
  uint64_t *out = give(&arrays, zero, sizeof zero);
  int *null = give(&arrays, &seven, sizeof seven);
  struct args_add_pair pair = {{NULL, {NULL}, 10}}, no_pair = {{NULL, {NULL}, 0}};
  pair.pair.p = give(&arrays, zeros, sizeof zeros);
  pair.pair.in.q = give(&arrays, numbers, sizeof numbers);
  struct args_many many = {out, {0}};
  for (size_t i = 0; i < 39; i++)
    sum += (many.a[i] = i) * (i == 38 ? 2 : 1);
  if (arrays.good) {
    arrays.good = LAUNCH_ARGS(be, ka_range(1), many, many);
    arrays.good = LAUNCH_ARGS(be, ka_range(10), add_pair, pair) && arrays.good;
    arrays.good = LAUNCH_ARGS(be, ka_range(1), add_pair, no_pair) && arrays.good;
    arrays.good = RUN(be, ka_range(1), is_null, null, NULL) && arrays.good;
    arrays.good = RUN(be, ka_with_group(ka_range(1000), 64), tally, out + 1, 10) && arrays.good;
    arrays.good =
        TRY(ka__launch(be, ka_range(1), &module.kernels[K_empty], NULL, 0)) && arrays.good;
  }
  if (settle(&arrays)) {
    CHECK_INT(((uint64_t *)arrays.all[0].host)[0], sum);
    CHECK_INT(((uint64_t *)arrays.all[0].host)[1], 990);
    CHECK_INT(*(int *)arrays.all[1].host, 1);
    CHECK(memcmp(arrays.all[2].host, numbers, sizeof numbers) == 0);
  }
  end(&arrays);
}

static void by_handle(ka_backend *be) {
  struct arrays arrays = {.be = be, .good = true};
  uint64_t zeros[5] = {[4] = 40};
  uint64_t *out = give(&arrays, zeros, sizeof zeros);
  ka_kernel *few = NULL, *blocks = NULL;
  arrays.good = TRY_POINTER(few, ka__kernel_of(be, &module.kernels[K_few])) && arrays.good;
  arrays.good = TRY_POINTER(blocks, ka__kernel_of(be, &module.kernels[K_blocks])) && arrays.good;
  if (arrays.good) {
    ka_kernel_properties info;
    ka_kernel_parameter parameter;
    if (TRY(ka_kernel_info(few, &info)))
      CHECK_INT(info.parameter_count, 4);
    CHECK_OK(ka_kernel_parameter_info(few, 3, &parameter));
    CHECK_STRING(parameter.name, "a[2]");
    struct args_few tuple = {out, {1, 2, 3}};
    arrays.good = TRY(ka_launch_tuple(few, ka_range(1), &tuple, sizeof tuple));
    ka_arguments four = ka_tuple(out + 1, (uint64_t)4, (uint64_t)5, (uint64_t)6);
    arrays.good = TRY(ka_launch_tuple(few, ka_range(1), four)) && arrays.good;
    /* So large that the tuple is put together on the heap. */
    static const struct block block = {{1, 1, 1, 1, 1, 1, 1, 1}};
    ka_argument list[65] = {ka_tuple(out + 2).list[0]};
    for (int i = 1; i < 65; i++)
      list[i] = ka_by_value(block);
    ka_arguments arguments = {list, 65};
    arrays.good = TRY(ka_launch_tuple(blocks, ka_range(1), arguments)) && arrays.good;
    static struct args_spilled spilled;
    spilled.out = out + 3;
    spilled.more = out + 4;
    spilled.b[31].a[7] = 8;
    arrays.good = LAUNCH_ARGS(be, ka_range(1), spilled, spilled) && arrays.good;
  }
  if (settle(&arrays)) {
    out = arrays.all[0].host;
    CHECK_INT(out[0], 9);
    CHECK_INT(out[1], 21);
    CHECK_INT(out[2], 65 * 8);
    CHECK_INT(out[3], 48);
  }
  end(&arrays);
}

/* More operations than a queue holds. */
static void full_queue(ka_backend *be) {
  struct arrays arrays = {.be = be, .good = true};
  int zeros[2] = {0}, launched = 0;
  int *p = give(&arrays, zeros, sizeof zeros);
  for (int i = 0; i < 1100 && arrays.good; i++) {
    arrays.good = RUN(be, ka_range(1), slow, p, 1);
    launched += arrays.good;
  }
  if (settle(&arrays))
    CHECK_INT(*(int *)arrays.all[0].host, launched);
  end(&arrays);
}

/* More freed memory in use than a device of 64 MiB may have. */
static void freed_in_use(ka_backend *be) {
  for (int i = 0; i < 12; i++) {
    int *p = NULL;
    if (TRY_POINTER(p, ka_alloc_device(be, (size_t)1 << 20)))
      (void)RUN(be, ka_range(1), slow, p, 20000);
    CHECK_OK(ka_free(p));
  }
  (void)TRY(ka_synchronize(be));
}

enum { THREADS = 3 };

struct shared {
  ka_backend *be;
  uint64_t *total;
  _Atomic int launched;
};

static void *in_a_thread(void *argument) {
  struct shared *shared = argument;
  ka_backend *be = shared->be;
  for (int i = 0; i < 4; i++)
    shared->launched += RUN(be, ka_with_group(ka_range(10000), 64), tally, shared->total, 0);
  scale_and_add(be);
  return NULL;
}

/* Threads use one allocation at once, and each its own. */
static void threads(ka_backend *be) {
  struct arrays arrays = {.be = be, .good = true};
  uint64_t zero = 0;
  struct shared shared = {be, give(&arrays, &zero, sizeof zero), 0};
  (void)TRY(ka_synchronize(be)); /* the copy is over before other queues use it */
  pthread_t ids[THREADS];
  if (arrays.good) {
    for (int i = 0; i < THREADS; i++)
      CHECK_INT(pthread_create(&ids[i], NULL, in_a_thread, &shared), 0);
    for (int i = 0; i < THREADS; i++)
      CHECK_INT(pthread_join(ids[i], NULL), 0);
  }
  if (settle(&arrays))
    CHECK_INT(*(uint64_t *)arrays.all[0].host, 10000 * shared.launched);
  end(&arrays);
}

/* Adds in its own queue what another queue made, after it has been made. */
struct follower {
  ka_backend *be;
  const ka_event *event;
  float *x, *y;
  bool good;
};

static void *follow(void *argument) {
  struct follower *f = argument;
  f->good = TRY(ka_wait_event(f->be, f->event)) && RUN(f->be, ka_range(100), saxpy, 1, f->x, f->y);
  f->good &= TRY(ka_synchronize(f->be));
  return NULL;
}

static void ignore(ka_event *event, void *argument) { (void)event, (void)argument; }

static void post(ka_event *event, void *semaphore) {
  (void)event;
  sem_post(semaphore);
}

/* The time between two events. */
static ka_status time_events(ka_backend *be) {
  ka_event *events[2] = {NULL, NULL};
  int64_t nanoseconds;
  ka_status status = ka_record_event(be, &events[0]);
  if (status == KA_OK)
    status = ka_record_event(be, &events[1]);
  for (int i = 0; i < 2 && status == KA_OK; i++)
    status = ka_event_wait(events[i]);
  if (status == KA_OK)
    status = ka_event_elapsed(events[0], events[1], &nanoseconds);
  ka_event_release(events[0]);
  ka_event_release(events[1]);
  return status;
}

static ka_status call_back(ka_event *event) {
  sem_t called;
  CHECK_INT(sem_init(&called, 0, 0), 0);
  ka_status status = ka_event_on_complete(event, ignore, NULL);
  /* When the second is called the first no longer has the event. */
  if (status == KA_OK)
    status = ka_event_on_complete(NULL, post, &called);
  while (status == KA_OK && sem_wait(&called) != 0)
    ;
  return status;
}

static ka_status open_file(ka_event *event) {
  int file = ka_event_fd(event);
  if (file < 0)
    return ka_error_status();
  CHECK_INT(close(file), 0);
  return KA_OK;
}

/* An event whose kernel failed says so whenever it is asked. */
static bool wait_for_event(const ka_event *event) {
  ka_status status = ka_event_wait(event);
  if (status != KA_ERROR_KERNEL_FAILED)
    return trying_is_ok(status, "ka_event_wait", __LINE__) ||
           (trying_faults() == ONE_FAULT &&
            trying_is_ok_again(ka_event_wait(event), "ka_event_wait", __LINE__));
  trying_failed(status, "ka_event_wait", __LINE__);
  CHECK_STATUS(ka_event_wait(event), KA_ERROR_KERNEL_FAILED);
  return false;
}

static bool ask_events(ka_backend *be, ka_event *event) {
  bool good = TRY(time_events(be));
  good &= TRY(call_back(event));
  good &= TRY(open_file(event));
  return TRY(ka_priority(be, KA_PRIORITY_NORMAL)) && good;
}

static void order_queues(ka_backend *be) {
  struct arrays arrays = {.be = be, .good = true};
  float ones[100], zeros[100] = {0};
  for (int i = 0; i < 100; i++)
    ones[i] = 1;
  float *x = give(&arrays, ones, sizeof ones), *y = give(&arrays, zeros, sizeof zeros);
  if (arrays.good) {
    ka_event *event = NULL;
    pthread_t thread;
    arrays.good = RUN(be, ka_range(100), saxpy, 2, y, x) &&
                  RUN(be, ka_range(100), saxpy, 2, x, y) && TRY(ka_record_event(be, &event));
    struct follower f = {be, event, x, y, false};
    CHECK_INT(pthread_create(&thread, NULL, follow, &f), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
    bool waited = wait_for_event(event);
    if (waited)
      CHECK(ka_event_query(event));
    arrays.good &= f.good && waited;
    /* What fails from here on is something else. */
    arrays.good &= TRY(ka_synchronize(be));
    arrays.good &= ask_events(be, event);
    ka_event_release(event);
  }
  if (settle(&arrays))
    for (int i = 0; i < 100; i++)
      CHECK_INT(((float *)arrays.all[1].host)[i], 3);
  end(&arrays);
}

static void devices(ka_backend *be) {
  for (int d = ka_num_devices(be) - 1; d >= 0; d--)
    if (TRY(ka_set_device(be, d)))
      scale_and_add(be);
}

static void make_module(struct written_module *made) {
  module_create(made, test_kernel_specs, K_COUNT, test_spirv,
                (size_t)(test_spirv_end - test_spirv));
}

static void close_module_in_use(ka_backend *be) {
  struct arrays arrays = {.be = be, .good = true};
  static struct written_module closed;
  int zeros[2] = {0};
  make_module(&closed);
  int *p = give(&arrays, zeros, sizeof zeros);
  if (arrays.good) {
    struct args_slow slow = {p, 1000};
    arrays.good = TRY(ka__launch(be, ka_range(1), &closed.kernels[K_slow], &slow, sizeof slow));
  }
  module_release(&closed);
  if (settle(&arrays))
    CHECK_INT(*(int *)arrays.all[0].host, 1);
  end(&arrays);
}

/* ---- */

int whole_program(enum faults faults, ka_status *last) {
  trying_begin(faults);
  bool fresh = !module.kernels;
  if (fresh)
    make_module(&module);
  ka_backend *be;
  if (TRY_POINTER(be, ka_default_backend())) {
    ask(be);
    copy_and_fill(be);
    scale_and_add(be);
    three_dimensions(be);
    group_memory(be);
    many_arguments(be);
    by_handle(be);
    full_queue(be);
    freed_in_use(be);
    threads(be);
    order_queues(be);
    devices(be);
    if (fresh)
      close_module_in_use(be);
  }
  return trying_failures(last);
}

void whole_program_close(void) {
  while (atomic_load(&left_count))
    free(left[atomic_fetch_sub(&left_count, 1) - 1].host);
  module_release(&module);
  module.kernels = NULL;
}

void whole_program_leaves_work(void) {
  ka_backend *be = test_backend();
  int *p = ka_alloc_device(be, 2 * sizeof *p);
  CHECK(p);
  for (int i = 0; i < 10; i++)
    (void)RUN(be, ka_range(1), slow, p, 1000);
  CHECK_OK(ka_free(p));
}
