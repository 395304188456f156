/* One mailbox for all launches of a queue is enough: they run one after another, the first failure
 * is the one to be told, and whatever follows it is its consequence. */
#include "runtime/core/mailbox.h"

#include "runtime/core/metadata_copy.h"
#include "runtime/core/print_buffer.h"
#include "runtime/core/queue.h"
#include "runtime/core/shared_memory.h"

#include <stdio.h>
#include <string.h>

/* Which kernel a launch was of. */
struct sender {
  uint64_t ticket;
  struct ka__metadata_copy *copy; /* held; NULL: none yet */
  uint32_t kernel;                /* index in it */
};

struct ka__mailbox {
  struct ka_mailbox *shared;
  pthread_mutex_t lock; /* guards the rest; the queue's own lock is taken inside */
  uint64_t latest;      /* ticket of the last launch that was given the mailbox */
  /* By ticket: no more launches than that are under way at once. */
  struct sender senders[KA__QUEUE_DEPTH];
};

static void clear(struct ka_mailbox *shared) {
  /* A launch that runs may put in the next failure as soon as there is none. */
  __atomic_store_n(&shared->launch, KA__NO_LAUNCH, __ATOMIC_RELAXED);
  __atomic_store_n(&shared->failed, 0, __ATOMIC_RELEASE);
}

/* NULL and a status if it cannot be had. */
static struct ka__mailbox *make(struct ka__queue *queue, const char *kernel, ka_status *status) {
  void *shared;
  struct ka__mailbox *mailbox = ka__shared_memory_create(
      queue, kernel, "a mailbox", sizeof *mailbox, sizeof *mailbox->shared, &shared, status);
  if (!mailbox)
    return NULL;
  mailbox->shared = shared;
  clear(mailbox->shared);
  pthread_mutex_init(&mailbox->lock, NULL);
  return mailbox;
}

ka_status ka__mailbox_prepare(struct ka__queue *queue, const struct ka__kernel_state *kernel,
                              struct ka__launch *launch) {
  struct ka__mailbox *mailbox = atomic_load_explicit(&queue->mailbox, memory_order_relaxed);
  if (!mailbox) {
    ka_status status;
    mailbox = make(queue, kernel->view.name, &status);
    if (!mailbox)
      return status;
    atomic_store_explicit(&queue->mailbox, mailbox, memory_order_release);
  }
  launch->mailbox = mailbox->shared;
  if (kernel->view.record->flags & KA_METADATA_PRINTS) {
    struct ka__print_buffer *prints;
    ka_status status = ka__print_prepare(queue, kernel->view.name, &prints);
    if (status != KA_OK)
      return status;
    /* Each time, since kernels can store over it. */
    __atomic_store_n(&mailbox->shared->prints, prints, __ATOMIC_RELAXED);
    launch->prints = prints;
  }
  ka__metadata_copy_hold(kernel->copy);
  pthread_mutex_lock(&mailbox->lock);
  struct sender *sender = &mailbox->senders[launch->ticket % KA__QUEUE_DEPTH];
  struct ka__metadata_copy *before = sender->copy;
  *sender = (struct sender){launch->ticket, kernel->copy, kernel->index};
  mailbox->latest = launch->ticket;
  pthread_mutex_unlock(&mailbox->lock);
  ka__metadata_copy_release(before);
  return KA_OK;
}

/* Whose the launch is, or NULL if no launch that is known can have failed just now. Under the lock.
 */
static const struct sender *find_sender(const struct ka__queue *queue,
                                        const struct ka__mailbox *mailbox, uint64_t launch) {
  const struct sender *sender = &mailbox->senders[launch % KA__QUEUE_DEPTH];
  bool is_over = launch <= atomic_load_explicit(&queue->completed, memory_order_relaxed);
  return sender->copy && sender->ticket == launch && !is_over ? sender : NULL;
}

/* Under the lock. What is shared is read once, as kernels may be storing there. */
static void report(struct ka__queue *queue, const struct ka_mailbox *in,
                   const struct sender *sender) {
  struct ka__kernel_view view;
  ka__metadata_kernel(sender->copy->metadata, sender->kernel, &view);
  uint32_t number = __atomic_load_n(&in->site, __ATOMIC_RELAXED);
  char place[1024] = "";
  const char *text = "", *before = "failed", *after = "";
  if (number < view.record->site_count) {
    const struct ka_metadata_site *site = &view.sites[number];
    const char *function = view.strings + site->function;
    bool elsewhere = *function && strcmp(function, view.name) != 0;
    snprintf(place, sizeof place, " at %s:%u%s%s%s", view.strings + site->file, site->line,
             elsewhere ? " in '" : "", elsewhere ? function : "", elsewhere ? "'" : "");
    text = view.strings + site->text;
    before = site->kind == KA_METADATA_ASSERT ? "assertion '" : "";
    after = site->kind == KA_METADATA_ASSERT ? "' failed" : "";
  }
  const uint64_t *item = in->global_id, *group = in->group_id;
  ka__queue_failed(queue, sender->ticket, KA_ERROR_KERNEL_TRAP,
                   "kernel '%s' stopped%s, item (%llu, %llu, %llu) of group (%llu, %llu, %llu): "
                   "%s%s%s",
                   view.name, place, (unsigned long long)item[0], (unsigned long long)item[1],
                   (unsigned long long)item[2], (unsigned long long)group[0],
                   (unsigned long long)group[1], (unsigned long long)group[2], before, text, after);
}

void ka__mailbox_empty(struct ka__queue *queue, uint64_t ticket) {
  struct ka__mailbox *mailbox = atomic_load_explicit(&queue->mailbox, memory_order_acquire);
  if (!mailbox || !__atomic_load_n(&mailbox->shared->failed, __ATOMIC_ACQUIRE))
    return;
  pthread_mutex_lock(&mailbox->lock);
  uint64_t launch = __atomic_load_n(&mailbox->shared->launch, __ATOMIC_ACQUIRE);
  /* A launch that still runs may be writing; then the number is none, or that of a launch to come.
   * Where none can run it is nonsense, which would keep every later failure out. */
  bool is_there = __atomic_load_n(&mailbox->shared->failed, __ATOMIC_ACQUIRE) &&
                  (launch <= ticket || mailbox->latest <= ticket);
  if (is_there) {
    const struct sender *sender = launch <= ticket ? find_sender(queue, mailbox, launch) : NULL;
    if (sender)
      report(queue, mailbox->shared, sender);
    else
      ka__queue_failed(queue, ticket, KA_ERROR_KERNEL_FAILED,
                       "a kernel stored into the mailbox, through which kernels tell the host that "
                       "they failed: a pointer of it leads where it should not");
    clear(mailbox->shared);
  }
  pthread_mutex_unlock(&mailbox->lock);
}
