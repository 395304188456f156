/* Remembers a hash of each source, and makes it again when the program has waited for the copy.
 *
 * Until then the host must not change the source; the device may, in the order of the queue. So
 * the first hash is made when the queue is empty, and the second before the queue gets anything
 * that could write the source. */
#include "runtime/core/copy_source.h"

#include "runtime/core/queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

struct ka__copy_source {
  struct ka__copy_source *next;
  uint64_t ticket;
  void *destination;
  const void *start;
  size_t bytes;
  uint64_t hash;
};

enum reading { READ, NOT_MAPPED, UNKNOWN };

static uint64_t add_to_hash(uint64_t hash, const char *bytes, size_t count) {
  for (size_t i = 0; i < count; i += sizeof hash) {
    uint64_t word = 0;
    memcpy(&word, bytes + i, count - i < sizeof word ? count - i : sizeof word);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

/* The system reads, so that memory which is not there any more is no crash. */
static enum reading make_hash(const void *start, size_t bytes, uint64_t *hash) {
  char block[16384];
  *hash = bytes;
  for (size_t done = 0; done < bytes;) {
    size_t n = bytes - done < sizeof block ? bytes - done : sizeof block;
    struct iovec to = {block, n}, from = {(char *)start + done, n};
    ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 && errno != EFAULT)
      return UNKNOWN; /* this system does not let a process do so */
    if (got != (ssize_t)n)
      return NOT_MAPPED;
    *hash = add_to_hash(*hash, block, n);
    done += n;
  }
  return READ;
}

void ka__copy_source_watch(struct ka__queue *queue, uint64_t ticket, void *destination,
                           const void *source, size_t bytes) {
  if (ka__queue_finish(queue) != KA_OK)
    return;
  struct ka__copy_source *s = malloc(sizeof *s);
  if (!s)
    return;
  *s = (struct ka__copy_source){NULL, ticket, destination, source, bytes, 0};
  if (make_hash(source, bytes, &s->hash) != READ) {
    free(s);
    return;
  }
  pthread_mutex_lock(&queue->lock);
  s->next = queue->sources;
  queue->sources = s;
  pthread_mutex_unlock(&queue->lock);
}

static void look(struct ka__queue *queue, const struct ka__copy_source *s) {
  uint64_t hash;
  enum reading reading = make_hash(s->start, s->bytes, &hash);
  if (reading == NOT_MAPPED || (reading == READ && hash != s->hash))
    ka__queue_failed(queue, s->ticket, KA_ERROR_INVALID_POINTER,
                     "ka_copy of %zu bytes from %p to %p: the source was %s before ka_synchronize "
                     "had returned, so that what was copied is not certain; leave it alone until "
                     "then, or use memory of ka_alloc, which may be freed at once",
                     s->bytes, s->start, s->destination,
                     reading == NOT_MAPPED ? "unmapped" : "changed");
}

/* Takes those of the copies from the ticket `first` to `last` out of the list, the oldest first:
 * the first failure is the one that is kept. */
static struct ka__copy_source *take_out(struct ka__queue *queue, uint64_t first, uint64_t last) {
  struct ka__copy_source *taken = NULL;
  pthread_mutex_lock(&queue->lock);
  for (struct ka__copy_source **at = &queue->sources; *at;) {
    struct ka__copy_source *s = *at;
    if (s->ticket < first || s->ticket > last) {
      at = &s->next;
      continue;
    }
    *at = s->next;
    s->next = taken;
    taken = s;
  }
  pthread_mutex_unlock(&queue->lock);
  return taken;
}

void ka__copy_source_forget(struct ka__queue *queue, uint64_t ticket) {
  free(take_out(queue, ticket, ticket));
}

void ka__copy_source_check(struct ka__queue *queue, uint64_t ticket) {
  struct ka__copy_source *taken = take_out(queue, 0, ticket);
  while (taken) {
    struct ka__copy_source *s = taken;
    taken = s->next;
    look(queue, s);
    free(s);
  }
}

static bool is_source(struct ka__queue *queue, const void *pointer, size_t bytes) {
  uintptr_t first = (uintptr_t)pointer;
  bool found = false;
  pthread_mutex_lock(&queue->lock);
  for (const struct ka__copy_source *s = queue->sources; s && !found; s = s->next) {
    uintptr_t start = (uintptr_t)s->start;
    found = start - first < bytes || first - start < s->bytes;
  }
  pthread_mutex_unlock(&queue->lock);
  return found;
}

void ka__copy_source_release(struct ka__queue *queue, const void *pointer, size_t bytes) {
  if (is_source(queue, pointer, bytes) && ka__queue_finish(queue) == KA_OK)
    ka__copy_source_check(queue, UINT64_MAX);
}
