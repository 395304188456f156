/* One mailbox for all launches of a queue is enough: they run one after another, the first failure
 * is the one to be told, and whatever follows it is its consequence. */
#include "runtime/core/mailbox.h"

#include "runtime/core/print_buffer.h"
#include "runtime/core/queue.h"
#include "runtime/core/status.h"

#include <stdio.h>
#include <stdlib.h>
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
  struct ka__device *device = queue->device;
  if (!device->properties.unified) {
    *status =
        ka__fail(KA_ERROR_UNSUPPORTED,
                 "kernel '%s' has something to tell the host while it runs (assert, ka_trap, "
                 "printf), and device '%s' shares no memory with the host; leave that out (for "
                 "assert: compile with -DNDEBUG)",
                 kernel, device->properties.name);
    return NULL;
  }
  struct ka__mailbox *mailbox = calloc(1, sizeof *mailbox);
  if (!mailbox) {
    *status = ka__fail(KA_ERROR_OUT_OF_MEMORY, "kernel '%s': no host memory for a mailbox", kernel);
    return NULL;
  }
  void *shared;
  *status = device->backend->table->alloc(device, sizeof *mailbox->shared, &shared);
  if (*status != KA_OK) {
    free(mailbox);
    *status =
        ka__fail(*status, "kernel '%s': memory for a mailbox: %s", kernel, ka_error_message());
    return NULL;
  }
  mailbox->shared = shared;
  mailbox->shared->prints = NULL;
  clear(mailbox->shared);
  pthread_mutex_init(&mailbox->lock, NULL);
  return mailbox;
}

ka_status ka__mailbox_address(struct ka__queue *queue, const struct ka__kernel_state *kernel,
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
    if (!mailbox->shared->prints)
      mailbox->shared->prints = prints;
    launch->prints = prints;
  }
  ka__metadata_copy_hold(kernel->copy);
  pthread_mutex_lock(&mailbox->lock);
  struct sender *sender = &mailbox->senders[launch->ticket % KA__QUEUE_DEPTH];
  struct ka__metadata_copy *before = sender->copy;
  *sender = (struct sender){launch->ticket, kernel->copy, kernel->index};
  pthread_mutex_unlock(&mailbox->lock);
  ka__metadata_copy_release(before);
  return KA_OK;
}

/* Under the lock. */
static void report(struct ka__queue *queue, const struct ka__mailbox *mailbox) {
  const struct ka_mailbox *in = mailbox->shared;
  const struct sender *sender = &mailbox->senders[in->launch % KA__QUEUE_DEPTH];
  struct ka__kernel_view view = {.name = "?"};
  const struct ka_metadata_site *site = NULL;
  if (sender->copy && sender->ticket == in->launch) {
    ka__metadata_kernel(sender->copy->metadata, sender->kernel, &view);
    if (in->site < view.record->site_count)
      site = &view.sites[in->site];
  }
  char place[1024] = "";
  const char *text = "", *before = "failed", *after = "";
  if (site) {
    const char *function = view.strings + site->function;
    bool elsewhere = *function && strcmp(function, view.name) != 0;
    snprintf(place, sizeof place, " at %s:%u%s%s%s", view.strings + site->file, site->line,
             elsewhere ? " in '" : "", elsewhere ? function : "", elsewhere ? "'" : "");
    text = view.strings + site->text;
    before = site->kind == KA_METADATA_ASSERT ? "assertion '" : "";
    after = site->kind == KA_METADATA_ASSERT ? "' failed" : "";
  }
  const uint64_t *item = in->global_id, *group = in->group_id;
  ka__queue_failed(queue, in->launch, KA_ERROR_KERNEL_TRAP,
                   "kernel '%s' stopped%s, item (%llu, %llu, %llu) of group (%llu, %llu, %llu): "
                   "%s%s%s",
                   view.name, place, (unsigned long long)item[0], (unsigned long long)item[1],
                   (unsigned long long)item[2], (unsigned long long)group[0],
                   (unsigned long long)group[1], (unsigned long long)group[2], before, text, after);
}

void ka__mailbox_empty(struct ka__queue *queue, uint64_t ticket) {
  struct ka__mailbox *mailbox = atomic_load_explicit(&queue->mailbox, memory_order_acquire);
  if (!mailbox || !__atomic_load_n(&mailbox->shared->failed, __ATOMIC_RELAXED))
    return;
  pthread_mutex_lock(&mailbox->lock);
  /* A launch that still runs may be writing; then the number is none, or that of a launch to come.
   */
  if (__atomic_load_n(&mailbox->shared->launch, __ATOMIC_ACQUIRE) <= ticket) {
    report(queue, mailbox);
    clear(mailbox->shared);
  }
  pthread_mutex_unlock(&mailbox->lock);
}
