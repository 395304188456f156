/* An item writes the size of its record last, so the host can print up to the first record that is
 * not complete at any time, and finds there all records of launches that have completed: a queue
 * runs them in order. `used` goes back to 0 only when no kernel of the queue can be running, that
 * is when its thread is about to launch one and all before have completed. */
#include "runtime/core/print_buffer.h"

#include "runtime/core/print.h"
#include "runtime/core/queue.h"
#include "runtime/core/shared_memory.h"

#include <ka/abi.h>
#include <stdlib.h>
#include <string.h>

struct ka__printer {
  struct ka__print_buffer *buffer; /* memory of the device, which the host shares */
  uint32_t capacity;               /* what the buffer's is, unless a kernel has stored over that */
  pthread_mutex_t lock;            /* guards the rest; held while stdout is written to */
  size_t printed;                  /* bytes of records that have been */
  bool damaged;                    /* the rest of them cannot be */
};

#define DEFAULT_BYTES ((size_t)1 << 20)
/* More would let sizes of records wrap around in 32 bits while the buffer is full. */
#define MOST_BYTES  ((size_t)1 << 30)
#define LEAST_BYTES ((size_t)1 << 10)

static _Atomic size_t capacity; /* of all buffers; 0: not looked up yet */

static ka_status find_capacity(size_t *bytes) {
  *bytes = atomic_load_explicit(&capacity, memory_order_relaxed);
  if (*bytes)
    return KA_OK;
  *bytes = DEFAULT_BYTES;
  const char *wanted = getenv("KA_PRINT_BUFFER");
  if (wanted && *wanted) {
    char *end;
    unsigned long long number = strtoull(wanted, &end, 10);
    if (*wanted < '0' || *wanted > '9' || *end || number < LEAST_BYTES || number > MOST_BYTES)
      return ka__fail(KA_ERROR_INVALID_ARGUMENT,
                      "KA_PRINT_BUFFER is '%s': it must be a number of bytes from %zu to %zu",
                      wanted, LEAST_BYTES, MOST_BYTES);
    *bytes = (size_t)number & ~(size_t)7;
  }
  atomic_store_explicit(&capacity, *bytes, memory_order_relaxed);
  return KA_OK;
}

/* NULL, and a status with its text, if there cannot be one. */
static struct ka__printer *make(struct ka__queue *queue, const char *kernel, ka_status *status) {
  size_t bytes;
  *status = find_capacity(&bytes);
  if (*status != KA_OK)
    return NULL;
  void *memory;
  struct ka__printer *printer =
      ka__shared_memory_create(queue, kernel, "what it prints", sizeof *printer,
                               sizeof *printer->buffer + bytes, &memory, status);
  if (!printer)
    return NULL;
  printer->buffer = memory;
  printer->capacity = (uint32_t)bytes;
  printer->buffer->capacity = printer->capacity;
  pthread_mutex_init(&printer->lock, NULL);
  return printer;
}

static uint32_t used(const struct ka__printer *printer) {
  return __atomic_load_n(&printer->buffer->used, __ATOMIC_ACQUIRE);
}

/* Bytes in which records can be. */
static size_t filled(const struct ka__printer *printer) {
  uint32_t bytes = used(printer);
  return bytes < printer->capacity ? bytes : printer->capacity;
}

static bool has_capacity(const struct ka__printer *printer) {
  return __atomic_load_n(&printer->buffer->capacity, __ATOMIC_RELAXED) == printer->capacity;
}

/* Under the lock. */
static void print(struct ka__printer *printer) {
  const char *records = (const char *)(printer->buffer + 1);
  bool was_damaged = printer->damaged;
  size_t end = filled(printer);
  printer->damaged |= !has_capacity(printer) || end < printer->printed;
  if (printer->printed < end && !printer->damaged)
    printer->printed += ka__print_records(stdout, records + printer->printed,
                                          end - printer->printed, &printer->damaged);
  if (printer->damaged && !was_damaged)
    fprintf(stderr, "ka: a kernel has stored into the memory where what it prints is kept; the "
                    "rest of that is lost\n");
  uint32_t lost = __atomic_exchange_n(&printer->buffer->lost, 0, __ATOMIC_RELAXED);
  if (lost && !printer->damaged)
    fprintf(stderr,
            "ka: kernels printed more than the %u bytes that are kept until the host prints them: "
            "%u calls of printf were lost; set KA_PRINT_BUFFER to a larger number of bytes, or "
            "synchronize more often\n",
            printer->capacity, lost);
}

void ka__print_try_flush(struct ka__queue *queue) {
  struct ka__printer *printer = atomic_load_explicit(&queue->printer, memory_order_acquire);
  if (!printer || pthread_mutex_trylock(&printer->lock) != 0)
    return;
  print(printer);
  pthread_mutex_unlock(&printer->lock);
}

void ka__print_flush(struct ka__queue *queue) {
  struct ka__printer *printer = atomic_load_explicit(&queue->printer, memory_order_acquire);
  if (!printer)
    return;
  pthread_mutex_lock(&printer->lock);
  print(printer);
  pthread_mutex_unlock(&printer->lock);
}

/* Nothing is to be printed or put right. `used` alone does not say so: a kernel can store there. */
static bool is_empty(struct ka__printer *printer) {
  if (used(printer))
    return false;
  pthread_mutex_lock(&printer->lock);
  bool empty = has_capacity(printer) && !printer->printed && !printer->damaged;
  pthread_mutex_unlock(&printer->lock);
  return empty;
}

/* No kernel runs. */
static void empty(struct ka__printer *printer) {
  pthread_mutex_lock(&printer->lock);
  print(printer);
  memset(printer->buffer + 1, 0, printer->damaged ? printer->capacity : filled(printer));
  printer->printed = 0;
  printer->damaged = false;
  __atomic_store_n(&printer->buffer->capacity, printer->capacity, __ATOMIC_RELAXED);
  __atomic_store_n(&printer->buffer->used, 0, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&printer->lock);
}

ka_status ka__print_prepare(struct ka__queue *queue, const char *kernel,
                            struct ka__print_buffer **buffer) {
  struct ka__printer *printer = atomic_load_explicit(&queue->printer, memory_order_relaxed);
  if (!printer) {
    ka_status status;
    printer = make(queue, kernel, &status);
    if (!printer)
      return status;
    atomic_store_explicit(&queue->printer, printer, memory_order_release);
  }
  *buffer = printer->buffer;
  if (is_empty(printer))
    return KA_OK;
  if (!ka__queue_is_idle(queue))
    ka__queue_poll(queue);
  /* With a wrong capacity kernels store behind the buffer. */
  bool is_bad = used(printer) > printer->capacity / 2 || !has_capacity(printer);
  if (!ka__queue_is_idle(queue) && is_bad) {
    ka_status status = ka__queue_finish(queue);
    if (status != KA_OK)
      return status;
  }
  if (ka__queue_is_idle(queue))
    empty(printer);
  return KA_OK;
}
