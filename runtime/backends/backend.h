/* The one interface between libka's core and the drivers: a table of functions for each backend,
 * and the objects that pass through it.
 *
 * Order is the contract, and tickets are how it is seen. Each operation put in a queue gets the
 * next number of that queue as its ticket. A queue runs its operations in order, so "everything up
 * to ticket n has completed" is one number, which poll() brings up to date and wait() waits for.
 * A backend that runs everything at once needs neither: without them the core synchronises.
 *
 * Functions return KA_OK, or a status with its text made by ka__fail (core/status.h). They may be
 * called from any thread; launch, copy and fill of one queue are called by one thread at a time,
 * while poll and wait of that queue may run beside them in other threads.
 *
 * A new backend is a table, its place in ka__backend_tables (list.c), and the compiler's target of
 * the same images. It needs nothing of the core but what this header declares and includes.
 */
#ifndef KA_RUNTIME_BACKENDS_BACKEND_H
#define KA_RUNTIME_BACKENDS_BACKEND_H

#include "runtime/core/failure.h"
#include "runtime/core/memory_pool.h"
#include "runtime/core/metadata.h"
#include "runtime/core/status.h"

#include <ka/ka.h>
#include <pthread.h>
#include <stdatomic.h>

#define KA__BACKENDS_MAX 4

/* A queue holds at most this many operations that are not known to have completed; who puts in
 * more waits for the older half. It bounds what the driver keeps for them (PoCL: about 0.5 KB
 * each), and is far more than it takes to keep a device busy. */
#define KA__QUEUE_DEPTH 1024

/* Pairs of allocations that a queue remembers; a power of two. */
#define KA__RECENT 32

struct ka__device;
struct ka__queue;
struct ka__function;
struct ka__launch;

/* What is to be called when something has completed; part of a larger structure, which stays until
 * then. */
struct ka__completion {
  void (*function)(struct ka__completion *completion);
};

/* A moment that can be asked for its time; all zero: one that cannot. */
struct ka__stamp {
  void *driver;         /* the backend's own, to be released; or NULL */
  uint64_t nanoseconds; /* the time, if it was known when the stamp was made */
};

struct ka__backend_table {
  const char *name;  /* "opencl" */
  const char *image; /* the "ka.content" of the images it takes: "spirv" */

  /* Loads the driver and sets backend->devices, device_count and notes: one ka__device for each
   * device that can be used, zeroed, with properties and maybe `driver` filled in, and then given
   * to ka__device_init. They must stay where they are. Called again after a failure. */
  ka_status (*open)(ka_backend *backend);
  /* Makes the device ready for use: once, before anything below. NULL: nothing to do. */
  ka_status (*device_start)(struct ka__device *device);

  /* Unified memory, at least 64-byte aligned; never NULL, also for 0 bytes. Called only for devices
   * whose properties say `unified`. */
  ka_status (*alloc)(struct ka__device *device, size_t bytes, void **pointer);
  /* The same for memory that the host need not reach. NULL: alloc. */
  ka_status (*alloc_device)(struct ka__device *device, size_t bytes, void **pointer);
  /* Of memory of either kind. Every use has completed when free is called. While the program ends
   * (ka__exiting) free may still be called, and leaves memory alone that only the driver could take
   * back; nothing else of this table is called then. */
  void (*free)(struct ka__device *device, void *pointer);
  /* Keeps pages of the host's memory in place for copies to and from all of the backend's devices,
   * and lets them go again; called with the same device, pointer and bytes, more than 0, by one
   * thread at a time, and not twice for one page. NULL: there is nothing to be gained. */
  ka_status (*pagelock)(struct ka__device *device, void *pointer, size_t bytes);
  ka_status (*pageunlock)(struct ka__device *device, void *pointer, size_t bytes);

  /* Makes queue->driver. Queues live until the program ends. */
  ka_status (*queue_create)(struct ka__queue *queue);
  /* Either side may be memory of this device or any memory of the host, whether or not kernels can
   * use that. The ranges do not overlap; bytes > 0. */
  ka_status (*copy)(struct ka__queue *queue, uint64_t ticket, void *destination, const void *source,
                    size_t bytes);
  /* The destination is memory that kernels can use. *value may change once fill has returned.
   * KA_ERROR_UNSUPPORTED without a text: this size or
   * alignment of the value needs another way, and the core fills by copies. NULL: always so. */
  ka_status (*fill)(struct ka__queue *queue, uint64_t ticket, void *destination, const void *value,
                    size_t value_bytes, size_t count);
  ka_status (*launch)(struct ka__queue *queue, struct ka__function *function,
                      const struct ka__launch *launch);

  /* The ticket up to which everything has completed, UINT64_MAX if nothing is under way; does not
   * block. NULL: not known without synchronising. */
  uint64_t (*poll)(struct ka__queue *queue);
  /* Blocks until everything up to the ticket has completed. NULL: synchronize does. */
  ka_status (*wait)(struct ka__queue *queue, uint64_t ticket);
  /* Arranges that completion->function(completion) is called once when everything up to the ticket
   * has completed or failed: from any thread, or before notify returns. After a failure it is not
   * called. NULL: who waits without blocking has wait, or synchronize, called on another thread. */
  ka_status (*notify)(struct ka__queue *queue, uint64_t ticket, struct ka__completion *completion);
  /* An operation of the queue that lasts until everything up to a ticket of another queue of the
   * same device has completed. NULL: the core waits for the other queue before it goes on. */
  ka_status (*wait_for)(struct ka__queue *queue, uint64_t ticket, struct ka__queue *other,
                        uint64_t other_ticket);
  /* Makes a zeroed stamp of the moment at which everything up to the ticket will have completed, or
   * of the present if it has; leaves it as it is if that cannot be done. Does not block; called by
   * the queue's own thread. NULL: moments cannot be timed. */
  void (*stamp)(struct ka__queue *queue, uint64_t ticket, struct ka__stamp *stamp);
  /* The time of a moment that has come, by a clock of the device. Called for stamps with `driver`
   * only, as the next. */
  ka_status (*stamp_time)(struct ka__device *device, const struct ka__stamp *stamp,
                          uint64_t *nanoseconds);
  void (*stamp_release)(struct ka__stamp *stamp);
  /* Operations put in the queue from now on have that priority, and follow those before them. Does
   * not block; called by the queue's own thread. KA_ERROR_UNSUPPORTED, with a text: the device has
   * no priorities. NULL: likewise, no device of the backend has. */
  ka_status (*set_priority)(struct ka__queue *queue, ka_priority_level level);
  /* Blocks until everything has completed. What failed while it ran is given to ka__queue_failed,
   * by this or by poll or wait, and is not a failure of these functions. */
  ka_status (*synchronize)(struct ka__queue *queue);

  /* Builds an image for the device; `source` is the file it came from, for messages. */
  ka_status (*program_create)(struct ka__device *device, const void *image, size_t bytes,
                              const char *source, void **program);
  void (*program_release)(struct ka__device *device, void *program);
  /* Finds function->entry in the program: sets driver, max_group_size and what it knows of the
   * figures after it. */
  ka_status (*function_create)(struct ka__function *function);
  /* Launches may be in flight: like program_release it keeps what they need, and does not block. Of
   * the function, its metadata and its image nothing is there any more afterwards. */
  void (*function_release)(struct ka__function *function);
};

/* All tables, in the order in which the default backend is looked for; NULL ends the list. */
extern const struct ka__backend_table *const ka__backend_tables[];

struct ka_backend {
  const struct ka__backend_table *table;
  int index;                  /* in ka__backend_tables */
  _Atomic int default_device; /* of threads that have not chosen one */
  int device_count;
  struct ka__device *devices;
  char *notes; /* what was found but cannot be used, a line each; "" if nothing */
};

struct ka__device {
  ka_backend *backend;
  int number;
  ka_device_properties properties;
  void *driver; /* the backend's own */

  /* The rest belongs to core/device.c, queue.c and registry.c. */
  pthread_mutex_t lock;
  _Atomic bool started;
  struct ka__queue *resting;    /* queues of no thread, linked by `next_resting` */
  _Atomic uint64_t freed_bytes; /* given back by the program, still in use */
  struct ka__memory_pool pool;
};

/* Prepares what belongs to the core: open() calls it for each device, numbered from 0. */
void ka__device_init(struct ka__device *device, ka_backend *backend, int number);

struct ka__queue {
  struct ka__device *device;
  void *driver;               /* the backend's own */
  _Atomic uint64_t submitted; /* the ticket given last */
  _Atomic uint64_t completed; /* known to have completed, by poll or otherwise */

  /* The rest belongs to core/queue.c. */
  uint32_t number; /* by which marks know it (core/uses.h) */
  struct ka__queue *next, *next_resting;
  pthread_mutex_t lock;
  ka_priority_level priority;
  uint64_t begun; /* up to this ticket all is of earlier threads; only the queue's thread looks */
  uint64_t told;  /* failures up to this ticket have been told, or were another thread's */
  struct ka__failure *failure;           /* the first that has not been told; NULL: none; held */
  struct ka__stretch *stretches;         /* that are looked at; these two are core/failure.c's */
  struct ka__copy_source *sources;       /* of core/copy_source.c; under the lock */
  _Atomic(struct ka__mailbox *) mailbox; /* of core/mailbox.c; NULL until a kernel needs it */
  _Atomic(struct ka__printer *) printer; /* of core/print_buffer.c; likewise */
  /* Where the queue's operations have found memory lately, by address; core/registry.c's, and only
   * the queue's thread looks. */
  struct ka__allocation *recent[KA__RECENT][2];
};

/* A pointer in a kernel's tuple. */
struct ka__tuple_pointer {
  uint64_t offset;
  bool perhaps;   /* in a union: maybe something else */
  bool in_memory; /* no parameter of an entry point, but in one's memory, or in the tuple's copy */
};

/* An entry point of a kernel, built for a device. */
struct ka__function {
  struct ka__device *device;
  void *program;     /* as program_create made it */
  const char *entry; /* name of the entry point in the image */
  const struct ka__kernel_view *kernel;
  const struct ka__tuple_pointer *pointers; /* all of the kernel's */
  uint32_t pointer_count;
  size_t max_group_size; /* items in a group that the device can run of this kernel */
  /* For ka_kernel_info; each 0 if the driver does not say. */
  size_t preferred_multiple; /* of group sizes */
  uint64_t local_bytes;      /* group memory, without that of KA_METADATA_LOCAL parameters */
  uint64_t private_bytes;    /* memory of an item */
  void *driver;              /* the backend's own */
};

struct ka__launch {
  uint64_t ticket;
  const void *tuple; /* the arguments, laid out as function->kernel says */
  /* A copy of them in memory of the device, for a kernel with KA_METADATA_SPILLS; else NULL. */
  void *spilled;
  /* For a kernel with KA_METADATA_MAILBOX, which is also passed the ticket; else NULL. */
  struct ka_mailbox *mailbox;
  /* What the mailbox leads to, for a kernel with KA_METADATA_PRINTS; else NULL. */
  const struct ka__print_buffer *prints;
  uint32_t dimensions; /* 1 to 3 */
  size_t offset[3];
  size_t items[3]; /* whole groups */
  size_t group[3];
  /* Present if the entry point is the padded one: extents of the range asked for. */
  const uint64_t *extents;
  /* Present if it is the group variant: what it is told. Then `offset`, `items` and `group` are
   * those of the device's items, each of which does the work of one group of the range. */
  const struct ka_group_range *range;
};

/* Makes the end of the program wait for launches in flight, and for threads inside libka, before
 * drivers are taken down. Called after each step in which a driver or the compiler inside it may
 * have registered functions that run at exit: ours must run before them, so it must be registered
 * after them. The core does so after open, program_create and the first launch; open does so when
 * it has loaded libraries and is not done. */
void ka__exit_watch(void);

/* Whether the program is ending: drivers may be gone and must not be called. Exit functions and
 * destructors of the program may still call libka. */
bool ka__exiting(void);

/* Records that the operation with this ticket failed while it ran: ka_synchronize returns the first
 * such error of the thread that submitted the operation. */
__attribute__((format(printf, 4, 5))) void ka__queue_failed(struct ka__queue *queue,
                                                            uint64_t ticket, ka_status status,
                                                            const char *format, ...);

#endif
