/* What failed while it ran: kept for the thread of the queue until it is told, and for everybody
 * who looks at a stretch of the queue as long as that lasts. */
#ifndef KA_RUNTIME_CORE_FAILURE_H
#define KA_RUNTIME_CORE_FAILURE_H

#include "runtime/core/status.h"

#include <ka/ka.h>
#include <stdatomic.h>

struct ka__queue;

/* An operation that failed while it ran. What it says does not change, so that it can be shared.
 * The first two members are atomic for the one that stands in where there is no memory, which
 * queues with different locks share. */
struct ka__failure {
  _Atomic unsigned holders; /* the queue, and stretches */
  _Atomic bool found; /* somebody has asked for it: by an event, or through a queue that waited */
  uint64_t ticket;
  ka_status status;
  char text[512];
};

/* The tickets of a queue after one and up to another, as an event has them, and the first failure
 * known of them. Storage is the caller's. */
struct ka__stretch {
  struct ka__queue *queue;
  uint64_t after, up_to;
  struct ka__failure *failure; /* held; NULL: none */
  struct ka__stretch *next, **at;
};

/* From what has been told up to `up_to`, which has been submitted. Does not block; nor do the
 * others. */
void ka__stretch_begin(struct ka__stretch *stretch, struct ka__queue *queue, uint64_t up_to);

void ka__stretch_end(struct ka__stretch *stretch);

/* KA_OK, or the status of the first failure known of the stretch, whose text is copied. It stays
 * one to be told. */
enum { KA__FAILURE_TEXT = sizeof((struct ka__failure *)NULL)->text };
ka_status ka__stretch_failure(const struct ka__stretch *stretch, char text[KA__FAILURE_TEXT]);

/* Returns the first failure of the queue that has not been told, with its text. */
ka_status ka__queue_take_error(struct ka__queue *queue);

/* The queue gets another thread: what has failed so far is no error of that one. */
void ka__queue_forget_error(struct ka__queue *queue);

/* At the end of the program: says on stderr what has failed, if nobody has asked for it. */
void ka__queue_tell_error(struct ka__queue *queue);

#endif
