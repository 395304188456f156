/* The device that is none. */
#include "test/runtime/support/fake_device.h"

#include "test/runtime/support/empty_backend.h"
#include "test/runtime/support/module_writer.h"
#include "test/runtime/support/test.h"

#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>

struct fake_device fake_device = {.most_bytes = FAKE_MEMORY};

/* ---- Memory; in front of each block is its size ---- */

enum { FRONT = 64 };

static ka_status alloc_memory(struct ka__device *device, size_t bytes, void **pointer) {
  (void)device;
  fake_device.last_bytes = bytes;
  uint64_t now = fake_device.bytes += bytes;
  if (now > fake_device.most_bytes) {
    fake_device.bytes -= bytes;
    return ka__fail(KA_ERROR_OUT_OF_DEVICE_MEMORY, "the fake device has no more");
  }
  if (fake_device.next_address) {
    *pointer = (void *)(fake_device.next_address += bytes); /* NOLINT(performance-no-int-to-ptr) */
    *pointer = (char *)*pointer - bytes;
  } else {
    char *block;
    CHECK_INT(posix_memalign((void **)&block, FRONT, FRONT + bytes), 0);
    memcpy(block, &bytes, sizeof bytes);
    *pointer = block + FRONT;
  }
  fake_device.allocs++;
  return KA_OK;
}

static void free_memory(struct ka__device *device, void *pointer) {
  (void)device;
  fake_device.frees++;
  if (fake_device.next_address)
    return;
  char *block = (char *)pointer - FRONT;
  size_t bytes;
  memcpy(&bytes, block, sizeof bytes);
  fake_device.bytes -= bytes;
  memset(pointer, 0xdd, bytes); /* who still uses it shall notice */
  free(block);
}

/* ---- Queues: a ring of operations that a thread works off ---- */

enum { RING = 2 * KA__QUEUE_DEPTH };

struct fake_queue {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t submitted, completed; /* tickets */
  struct fake_arguments ring[RING];
};

static bool finds(const struct fake_arguments *arguments) {
  const void *pointers[3] = {arguments->p, arguments->in.q, arguments->in.r};
  for (int i = 0; i < 3; i++)
    if (pointers[i] && !fake_device.next_address &&
        memcmp((const char *)pointers[i] - arguments->back[i], &arguments->expected[i], 8) != 0)
      return false;
  return true;
}

static void *run_queue(void *argument) {
  struct fake_queue *queue = argument;
  for (;;) {
    pthread_mutex_lock(&queue->lock);
    while (queue->completed == queue->submitted)
      pthread_cond_wait(&queue->changed, &queue->lock);
    struct fake_arguments arguments = queue->ring[(queue->completed + 1) % RING];
    pthread_mutex_unlock(&queue->lock);
    bool right = finds(&arguments);
    do
      sched_yield(); /* lets other threads do what they can against it */
    while (fake_device.held && (!fake_device.held_tag || fake_device.held_tag == arguments.tag));
    if (!right || !finds(&arguments))
      fake_device.wrong++;
    pthread_mutex_lock(&queue->lock);
    queue->completed++;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
  }
  return NULL;
}

static ka_status create_queue(struct ka__queue *queue) {
  struct fake_queue *driver = calloc(1, sizeof *driver);
  CHECK(driver);
  pthread_mutex_init(&driver->lock, NULL);
  pthread_cond_init(&driver->changed, NULL);
  queue->driver = driver;
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, run_queue, driver), 0);
  pthread_detach(thread);
  return KA_OK;
}

/* Tickets of operations that failed on their way here are skipped by what comes next. */
static ka_status launch(struct ka__queue *queue, struct ka__function *function,
                        const struct ka__launch *launch_) {
  (void)function;
  struct fake_queue *driver = queue->driver;
  pthread_mutex_lock(&driver->lock);
  while (driver->submitted + 1 < launch_->ticket)
    driver->ring[++driver->submitted % RING] = (struct fake_arguments){0};
  memcpy(&driver->ring[++driver->submitted % RING], launch_->tuple, sizeof *driver->ring);
  if (fake_device.immediate) {
    if (!finds(launch_->tuple))
      fake_device.wrong++;
    driver->completed = driver->submitted;
  }
  pthread_cond_broadcast(&driver->changed);
  pthread_mutex_unlock(&driver->lock);
  return KA_OK;
}

static uint64_t poll_queue(struct ka__queue *queue) {
  struct fake_queue *driver = queue->driver;
  pthread_mutex_lock(&driver->lock);
  uint64_t completed = driver->completed == driver->submitted ? UINT64_MAX : driver->completed;
  pthread_mutex_unlock(&driver->lock);
  return completed;
}

static ka_status wait_for(struct ka__queue *queue, uint64_t ticket) {
  struct fake_queue *driver = queue->driver;
  pthread_mutex_lock(&driver->lock);
  while (driver->completed < ticket && driver->completed < driver->submitted)
    pthread_cond_wait(&driver->changed, &driver->lock);
  pthread_mutex_unlock(&driver->lock);
  return KA_OK;
}

static ka_status synchronize(struct ka__queue *queue) { return wait_for(queue, UINT64_MAX); }

/* ---- The rest ---- */

static ka_status open_backend(ka_backend *backend) {
  static struct ka__device device;
  ka__device_init(&device, backend, 0);
  device.properties = (ka_device_properties){
      .name = "fake",
      .compute_units = 1,
      .max_dimensions = 3,
      .max_group_size = 1024,
      .max_group_extent = {1024, 1024, 1024},
      .local_bytes = 1024,
      .memory_bytes = FAKE_MEMORY,
      .max_alloc_bytes = UINT64_MAX / 2,
      .unified = true,
  };
  backend->devices = &device;
  backend->device_count = 1;
  return KA_OK;
}

static const struct ka__backend_table fake = {
    .name = "fake",
    .image = "none",
    .open = open_backend,
    .alloc = alloc_memory,
    .alloc_device = alloc_memory,
    .free = free_memory,
    .queue_create = create_queue,
    .copy = empty_copy,
    .launch = launch,
    .poll = poll_queue,
    .wait = wait_for,
    .synchronize = synchronize,
    .program_create = empty_program_create,
    .program_release = empty_program_release,
    .function_create = empty_function_create,
    .function_release = empty_function_release,
};

const struct ka__backend_table *const ka__backend_tables[] = {&fake, NULL};

static const struct param_spec params[] = {
    {.name = "p", .kind = KA_METADATA_POINTER, .offset = 0, .size = 8},
    {.name = "in",
     .kind = KA_METADATA_AGGREGATE,
     .offset = 8,
     .size = 16,
     .pointers = {{"q", 0, 0}, {"r", 8, 0}}},
    {.name = "rest", .kind = KA_METADATA_AGGREGATE, .offset = 24, .size = 56},
};
static const struct kernel_spec spec = {.name = "look",
                                        .tuple_bytes = sizeof(struct fake_arguments),
                                        .param_count = 3,
                                        .params = params};

static struct written_module module;

static void make_module(void) {
  struct blob metadata = write_metadata(&spec, 1);
  const struct image_spec images[] = {
      {.content = "metadata", .start = metadata.start, .bytes = metadata.bytes},
      {.content = "none", .start = "image", .bytes = 5},
  };
  module_create_from(&module, &spec, 1, write_bundle(images, 2));
  free(metadata.start);
}

ka_status fake_launch(ka_backend *backend, const struct fake_arguments *arguments) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_module);
  return ka__launch(backend, ka_range(1), module.kernels, arguments, sizeof *arguments);
}
