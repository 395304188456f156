/* ka/ka.h - compute kernels in plain C: the host's side.
 *
 *   [[ka::kernel]] void saxpy(float a, const float *restrict x, float *restrict y)
 *   {
 *       size_t i = ka_global_id(0);
 *       y[i] += a * x[i];
 *   }
 *   ...
 *   ka_backend *be = ka_default_backend();
 *   float *x = ka_alloc(be, n * sizeof *x), *y = ka_alloc(be, n * sizeof *y);
 *   KA_CHECK(ka_launch(be, ka_range(n), saxpy(2.0f, x, y)));
 *   KA_CHECK(ka_synchronize(be));
 *   ka_free(x);
 *
 * Unless an entry says otherwise: functions may be called from any thread at any time; sizes are
 * bytes; a function that returns ka_status leaves a text for ka_error_message() when it fails; a
 * function that returns a pointer returns NULL and leaves that text. Work is asynchronous and
 * ordered within the queue of the calling thread; queues of different threads are not ordered.
 *
 * What can block: ka_synchronize, for all work of the thread's queue; ka_launch, ka_copy and
 * ka_fill when 1024 operations are under way in that queue, until about half of them have
 * completed; ka_launch of a kernel that prints when what was printed fills half of the buffer,
 * until the queue is idle; what writes that to stdout (such a launch, ka_synchronize,
 * ka_event_wait, ka_event_query), as long as a write there blocks; ka_alloc when memory that was
 * freed but is still in use exceeds a sixteenth of the device's memory. What loads a driver or
 * builds a kernel can take long: ka_default_backend and ka_backend_open for a backend's first time,
 * the first launch of a kernel on a device.
 *
 * Once the program has called ka_default_backend or ka_backend_open, a child made by fork() must
 * call exec before it uses ka: until then calls fail with KA_ERROR_NO_DEVICE, and ka_backend_of,
 * ka_allocation_of and ka_memory_kind_of find nothing. No call is a cancellation point: a thread
 * that is cancelled first finishes its call. Handlers of the program never run in a driver's
 * threads; while a driver is loaded or builds a kernel they wait. Signal handlers must not call
 * libka.
 */
#ifndef KA_KA_H
#define KA_KA_H

#include <ka/abi.h>
#include <ka/kernel.h>
#include <ka/tuple.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status and messages -------------------------------------------------------------------- */

/* Every status: name, text. docs/reference/errors.md says more about each. */
#define KA_STATUS_LIST(X)                                                                          \
  X(OK, "success")                                                                                 \
  X(ERROR_INVALID_ARGUMENT, "an argument is not valid")                                            \
  X(ERROR_INVALID_RANGE, "the range is not valid on this device")                                  \
  X(ERROR_INVALID_GROUP_SIZE, "the group size is not valid for this kernel and device")            \
  X(ERROR_INVALID_POINTER, "a pointer does not lie in memory that the operation can use")          \
  X(ERROR_ARGUMENT_MISMATCH, "an argument does not match the kernel's parameter")                  \
  X(ERROR_NO_BACKEND, "no such backend, or none works on this machine")                            \
  X(ERROR_NO_DEVICE, "the backend has no such device")                                             \
  X(ERROR_NO_IMAGE, "the kernel was not compiled for this backend")                                \
  X(ERROR_INVALID_BUNDLE, "the kernel bundle is damaged or from another version")                  \
  X(ERROR_BUILD_FAILED, "the driver could not build the kernel")                                   \
  X(ERROR_UNSUPPORTED, "the device or backend lacks this capability")                              \
  X(ERROR_OUT_OF_MEMORY, "out of host memory")                                                     \
  X(ERROR_OUT_OF_DEVICE_MEMORY, "out of device memory")                                            \
  X(ERROR_DRIVER, "a call to the device driver failed")                                            \
  X(ERROR_KERNEL_FAILED, "a kernel or copy failed while it ran")                                   \
  X(ERROR_KERNEL_TRAP, "an assertion failed, or a trap was reached, in a kernel")                  \
  X(ERROR_CANCELLED, "the task was cancelled")

typedef enum ka_status {
#define KA__STATUS_ENUM(name, text) KA_##name,
  KA_STATUS_LIST(KA__STATUS_ENUM)
#undef KA__STATUS_ENUM
} ka_status;

/* "KA_ERROR_NO_DEVICE" and the like; never NULL. Static storage. */
KA_API const char *ka_status_name(ka_status status);

/* What failed last in the calling thread: what, where (kernel, parameter), what to do. "" when
 * nothing has. Look at it after a call that failed: one that succeeds may put a text there too, of
 * something that failed inside it and was made good. Valid until the next call in this thread. */
KA_API const char *ka_error_message(void);

/* The status that belongs to that text, for functions that return a pointer; KA_OK when nothing has
 * failed. */
KA_API ka_status ka_error_status(void);

/* Evaluates a call once; unless it succeeded, prints the message with file and line and exits with
 * status 1. For examples and small programs. The variable KA_CHECK=1 in the environment is another
 * thing: checks of memory, see below. */
#define KA_CHECK(call) ka__check((call), #call, __FILE__, __LINE__)
KA_API void ka__check(ka_status status, const char *call, const char *file, int line);

/* ---- Backends and devices ------------------------------------------------------------------- */

/* A driver (OpenCL, CUDA) and its devices. Backends live until the program ends. */
typedef struct ka_backend ka_backend;

/* The backend that KA_BACKEND names ("opencl", "opencl:1"), or else the best that works. NULL if
 * none does: the message says why, backend by backend. The first call loads the driver. The first
 * backend that is found stays the answer; after a failure the next call tries again. */
KA_API ka_backend *ka_default_backend(void);

/* Opens by name; ":<device>" makes that device the calling thread's active one. NULL, with the
 * reason as the message, if the name is NULL, there is no such backend or device, or the backend
 * does not work on this machine; a later call tries again. */
KA_API ka_backend *ka_backend_open(const char *name);

/* "opencl"; "" for NULL. Static storage. */
KA_API const char *ka_backend_name(const ka_backend *backend);

/* The names of the backends that this libka has, working or not: index 0 and up, in the order in
 * which ka_default_backend tries them; NULL ends the list. Static storage. ka_backend_open(name)
 * says whether one works, or why it does not. */
KA_API const char *ka_backend_name_at(int index);

/* Devices that the driver shows but ka cannot use, one "'<device>' <reason>" a line; "" if there
 * are none, or for NULL. Lives as long as the backend. */
KA_API const char *ka_backend_notes(const ka_backend *backend);

/* Number of devices; 0 with a message for NULL. */
KA_API int ka_num_devices(ka_backend *backend);

/* The calling thread's active device. At first that is the device of KA_BACKEND, if the variable
 * named one of this backend when the backend was opened, else 0.
 * Errors: KA_ERROR_INVALID_ARGUMENT (NULL backend), _NO_DEVICE, _OUT_OF_MEMORY. */
KA_API ka_status ka_set_device(ka_backend *backend, int device);
/* 0 with a message for NULL. */
KA_API int ka_get_device(ka_backend *backend);

/* What a device is and can do. Numbers that the driver does not give are 0. */
typedef struct ka_device_properties {
  char name[128];
  char vendor[128];
  char driver[128]; /* driver and its version */
  char api[128];    /* version of OpenCL, CUDA */
  /* Kind. */
  bool is_cpu;            /* runs kernels on cores of the host */
  bool is_gpu;            /* neither this nor is_cpu: another accelerator */
  uint32_t compute_units; /* cores or multiprocessors */
  uint32_t clock_mhz;     /* highest clock rate, in MHz */
  /* Ranges and groups. */
  uint32_t max_dimensions;           /* of a range; 3 */
  uint64_t max_groups;               /* groups of one launch */
  uint64_t max_group_size;           /* items in a group */
  uint64_t max_group_extent[3];      /* items in a group along x, y, z */
  uint32_t preferred_group_multiple; /* items; group sizes that are multiples of it suit best */
  uint32_t vector_bytes;             /* width of its vector instructions for float; 4: none */
  uint32_t max_sub_groups;           /* sub-groups in a group */
  uint32_t sub_group_sizes[16];      /* items in a sub-group: sizes supported; 0 ends the list */
  uint64_t max_parameter_bytes;      /* all parameters of one kernel together */
  uint64_t print_bytes; /* the driver's own, for printf of OpenCL C; ka has KA_PRINT_BUFFER */
  /* Memory. */
  uint64_t local_bytes;      /* group memory for one group */
  uint64_t memory_bytes;     /* device memory */
  uint64_t max_alloc_bytes;  /* of one allocation */
  uint64_t cache_bytes;      /* cache for device memory */
  uint32_t cache_line_bytes; /* its unit */
  bool local_is_separate;    /* group memory is memory of its own, faster than device memory */
  bool shares_memory;        /* device memory is the host's: copies cross no bus */
  bool unified;              /* has ka_alloc: memory that host and device may both use */
  bool host_pointers;        /* kernels may use malloc'ed, static and stack memory */
  bool host_atomics;         /* atomic operations on unified memory hold between host and kernels */
  bool error_correction;     /* memory corrects bit errors, where that can be told */
  /* Arithmetic and communication in kernels. */
  bool fp64, fp16;                  /* double, _Float16 */
  bool fp32_denormals;              /* float: denormal numbers are not flushed to 0 */
  bool int64_atomics;               /* atomic operations on 64-bit objects */
  bool sub_groups;                  /* sub-group functions */
  bool shuffles, relative_shuffles; /* between items of a sub-group: from any item; up and down */
  bool ballots;                     /* votes of a sub-group as a mask */
  /* Time. */
  uint32_t timer_resolution_ns; /* of the times that the device measures, in nanoseconds */
} ka_device_properties;

/* Fills *info for the device with this number. Does not ask the driver: libka asks once, when the
 * backend is opened.
 * Errors: KA_ERROR_INVALID_ARGUMENT (NULL), _NO_DEVICE. */
KA_API ka_status ka_device_info(ka_backend *backend, int device, ka_device_properties *info);

/* ---- Memory ---------------------------------------------------------------------------------- */

/* docs/reference/memory.md says what memory there is, who keeps it and for how long. With
 * KA_CHECK=1 in the environment, slow checks look for mistakes that programs make with it. */

/* Unified memory for the calling thread's active device: an ordinary pointer, good on the host and
 * in kernels, aligned for every type (at least 64 bytes). Contents undefined. 0 bytes gives a
 * distinct pointer that must not be dereferenced. The host must not touch what work in a queue
 * uses until that queue has been synchronised. NULL, with the reason as the message, if the backend
 * is NULL, the device does not start, gives no more or has no unified memory, or there is no host
 * memory. */
KA_API void *ka_alloc(ka_backend *backend, size_t bytes);
/* The same, all bits zero. Blocks while it writes them. */
KA_API void *ka_alloc_zeroed(ka_backend *backend, size_t bytes);
/* Memory of the device, for kernels, ka_copy and ka_fill; the host must not read or write through
 * the pointer. Every device has it, and on some it is faster than ka_alloc's. On devices that share
 * the host's memory it is the same. Otherwise as ka_alloc. */
KA_API void *ka_alloc_device(ka_backend *backend, size_t bytes);

/* Gives memory back: at once for the program, which must not touch it again; truly when every
 * launch and copy that was given a pointer into it has completed. Does not block. NULL is fine;
 * a pointer that no ka_alloc returned, or one freed before, is KA_ERROR_INVALID_POINTER. */
KA_API ka_status ka_free(void *pointer);

/* The backend that a pointer into a live allocation belongs to, else NULL (no message). */
KA_API ka_backend *ka_backend_of(const void *pointer);

/* What a pointer leads to. */
typedef enum ka_memory_kind {
  KA_MEMORY_HOST =
      0,             /* no live allocation of ka: the stack, malloc's, static, mapped; or invalid */
  KA_MEMORY_UNIFIED, /* ka_alloc's or ka_alloc_zeroed's: host and device may use it */
  KA_MEMORY_DEVICE   /* ka_alloc_device's: only the device may */
} ka_memory_kind;
KA_API ka_memory_kind ka_memory_kind_of(const void *pointer);

/* The live allocation that holds `pointer`: true and its bounds, else false. NULL outputs are
 * skipped. */
KA_API bool ka_allocation_of(const void *pointer, void **base, size_t *bytes);

/* Copies in queue order; asynchronous. Each side may be memory of the active device, of either
 * kind, or any memory of the host, whether or not kernels can use it. Memory of ka may be freed at
 * once; other memory must stay valid, and the source unchanged, until ka_synchronize has returned,
 * or an event behind the copy has passed. Overlap is an error; 0 bytes is success. Errors:
 * KA_ERROR_INVALID_ARGUMENT (NULL backend, overlap), _INVALID_POINTER, _NO_DEVICE, _OUT_OF_MEMORY,
 * _OUT_OF_DEVICE_MEMORY, _DRIVER. What fails later is returned by ka_synchronize.
 */
KA_API ka_status ka_copy(ka_backend *backend, void *destination, const void *source, size_t bytes);

/* Stores `count` copies of the `value_bytes` bytes at `value` one after the other from
 * `destination`; asynchronous, in queue order. The destination is as for
 * ka_copy; `*value` is copied before the call returns.
 * Errors: as ka_copy. The driver may know no fill for this size and alignment; then several copies
 * do it, and a call that fails may have filled the beginning. */
KA_API ka_status ka_fill(ka_backend *backend, void *destination, const void *value,
                         size_t value_bytes, size_t count);

/* Announces that memory of the host, malloc's for example, will be copied to and from devices of
 * the backend often: where a driver can keep its pages in place, such copies are then faster. It is
 * never needed for a right result. On CPU devices, and with OpenCL, which has no way to ask for it,
 * it only checks its arguments. Ends with ka_pageunlock, which must come before the memory is
 * freed or unmapped, and after all copies of it have completed. Both may block for as long as the
 * driver takes.
 * Errors: KA_ERROR_INVALID_ARGUMENT (NULL backend, some of it is locked already), _INVALID_POINTER
 * (NULL, not all of it is mapped, memory of ka), _NO_DEVICE, _OUT_OF_MEMORY, _DRIVER. */
KA_API ka_status ka_pagelock(ka_backend *backend, void *pointer, size_t bytes);
/* `pointer` is what ka_pagelock got.
 * Errors: KA_ERROR_INVALID_ARGUMENT (NULL backend), _INVALID_POINTER (not locked), _DRIVER. */
KA_API ka_status ka_pageunlock(ka_backend *backend, void *pointer);

/* ---- Ranges ---------------------------------------------------------------------------------- */

/* A range of work-items: 1 to 3 extents, maybe a group size and an offset. Passed by value. */
typedef struct ka_ndrange {
  size_t size[3];      /* items along x, y, z; unused dimensions are 1 */
  size_t group[3];     /* items in a group; 0, 0, 0: the kernel's static size, else chosen */
  size_t offset[3];    /* added to ka_global_id */
  uint32_t dimensions; /* 1 to 3 */
} ka_ndrange;

/* ka_range(nx), ka_range(nx, ny), ka_range(nx, ny, nz). An extent of 0 launches nothing and
 * succeeds. Extents need not be multiples of the group size. */
#define ka_range(...)                                                                              \
  KA__COUNTED(__VA_ARGS__, ka_range_takes_1_to_3_extents, ka_range_takes_1_to_3_extents,           \
              ka_range_takes_1_to_3_extents, ka_range_takes_1_to_3_extents,                        \
              ka_range_takes_1_to_3_extents, ka__range_3, ka__range_2, ka__range_1, )              \
  (KA__IF_EMPTY(ka_range_takes_1_to_3_extents, __VA_ARGS__, ) __VA_ARGS__)
/* The same range with a given group size: ka_with_group(r, x[, y[, z]]); missing extents are 1. */
#define ka_with_group(range, ...)                                                                  \
  KA__COUNTED(__VA_ARGS__, ka_with_group_takes_a_range_and_1_to_3_extents,                         \
              ka_with_group_takes_a_range_and_1_to_3_extents,                                      \
              ka_with_group_takes_a_range_and_1_to_3_extents,                                      \
              ka_with_group_takes_a_range_and_1_to_3_extents,                                      \
              ka_with_group_takes_a_range_and_1_to_3_extents, ka__group_3, ka__group_2,            \
              ka__group_1, )                                                                       \
  (range, KA__IF_EMPTY(ka_with_group_takes_a_range_and_1_to_3_extents, __VA_ARGS__, ) __VA_ARGS__)
/* The same range, ids starting at an offset: ka_with_offset(r, x[, y[, z]]). */
#define ka_with_offset(range, ...)                                                                 \
  KA__COUNTED(__VA_ARGS__, ka_with_offset_takes_a_range_and_1_to_3_offsets,                        \
              ka_with_offset_takes_a_range_and_1_to_3_offsets,                                     \
              ka_with_offset_takes_a_range_and_1_to_3_offsets,                                     \
              ka_with_offset_takes_a_range_and_1_to_3_offsets,                                     \
              ka_with_offset_takes_a_range_and_1_to_3_offsets, ka__offset_3, ka__offset_2,         \
              ka__offset_1, )                                                                      \
  (range, KA__IF_EMPTY(ka_with_offset_takes_a_range_and_1_to_3_offsets, __VA_ARGS__, ) __VA_ARGS__)

/* The name behind as many as there are arguments; the first eight names are for 8, 7, ... 1. */
#define KA__COUNTED(a, b, c, d, e, f, g, h, name, ...) name
/* `wrong` if the argument behind it is empty, else nothing: a name that the compiler does not know
 * says what is the matter. Empty is what does not begin with a parenthesis and makes a call of
 * KA__COMMA when one in parentheses follows. */
#define KA__IF_EMPTY(wrong, first, ...)                                                            \
  KA__IF_EMPTY_(KA__HAS_COMMA(KA__COMMA first), KA__HAS_COMMA(KA__COMMA first()), wrong)
#define KA__IF_EMPTY_(begins, calls, wrong)  KA__IF_EMPTY__(begins, calls, wrong)
#define KA__IF_EMPTY__(begins, calls, wrong) KA__EMPTY_##begins##calls(wrong)
#define KA__EMPTY_01(wrong)                  wrong
#define KA__EMPTY_00(wrong)
#define KA__EMPTY_10(wrong)
#define KA__EMPTY_11(wrong)
#define KA__HAS_COMMA(...)       KA__COUNTED(__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 0, )
#define KA__COMMA(...)           ,
#define ka__range_1(x)           ka__range(1, (size_t)(x), 1, 1)
#define ka__range_2(x, y)        ka__range(2, (size_t)(x), (size_t)(y), 1)
#define ka__range_3(x, y, z)     ka__range(3, (size_t)(x), (size_t)(y), (size_t)(z))
#define ka__group_1(r, x)        ka__group((r), (size_t)(x), 1, 1)
#define ka__group_2(r, x, y)     ka__group((r), (size_t)(x), (size_t)(y), 1)
#define ka__group_3(r, x, y, z)  ka__group((r), (size_t)(x), (size_t)(y), (size_t)(z))
#define ka__offset_1(r, x)       ka__offset((r), (size_t)(x), 0, 0)
#define ka__offset_2(r, x, y)    ka__offset((r), (size_t)(x), (size_t)(y), 0)
#define ka__offset_3(r, x, y, z) ka__offset((r), (size_t)(x), (size_t)(y), (size_t)(z))

static inline ka_ndrange ka__range(uint32_t dimensions, size_t x, size_t y, size_t z) {
  ka_ndrange r = {{x, y, z}, {0, 0, 0}, {0, 0, 0}, dimensions};
  return r;
}
static inline ka_ndrange ka__group(ka_ndrange r, size_t x, size_t y, size_t z) {
  r.group[0] = x, r.group[1] = y, r.group[2] = z;
  return r;
}
static inline ka_ndrange ka__offset(ka_ndrange r, size_t x, size_t y, size_t z) {
  r.offset[0] = x, r.offset[1] = y, r.offset[2] = z;
  return r;
}

/* ---- Launch ---------------------------------------------------------------------------------- */

/* Launches a kernel: ka_launch(backend, range, kernel(arguments...)) -> ka_status.
 *
 * The third argument is written as a call of the kernel and means the launch: C checks and
 * converts the arguments, the compiler gathers them in one tuple. They are copied before ka_launch
 * returns. The launch is asynchronous and in the order of the calling thread's queue. Backend,
 * range and each argument are evaluated once, in no given order, and may themselves launch.
 *
 * Memory of ka_alloc that a pointer argument, or a pointer inside a structure argument, points into
 * is kept until the launch has completed, even if it is freed before. Other memory must live that
 * long by the program's own care; so must a library whose static objects the kernel uses.
 *
 * Errors: KA_ERROR_INVALID_ARGUMENT (NULL backend), _ARGUMENT_MISMATCH, _INVALID_RANGE,
 * _INVALID_GROUP_SIZE, _INVALID_POINTER, _NO_IMAGE, _INVALID_BUNDLE, _BUILD_FAILED, _UNSUPPORTED,
 * _NO_DEVICE, _OUT_OF_MEMORY, _OUT_OF_DEVICE_MEMORY, _DRIVER. What fails while the kernel runs is
 * returned by ka_synchronize.
 * A launch of a kernel that prints waits for the queue when what its kernels have printed fills
 * more than half of the buffer (docs/reference/kernel-language.md). The first launch of a kernel on
 * a device builds it and can take long. docs/reference/launch.md has the whole story. */
#ifdef __KA__
#define ka_launch(backend, range, ...)                                                             \
  ka__launch((backend), (range),                                                                   \
             ((KA__IF_EMPTY(ka_launch_takes_a_backend_a_range_and_the_call_of_a_kernel,            \
                            __VA_ARGS__, ) __VA_ARGS__),                                           \
              (struct ka__kernel *)0),                                                             \
             (const void *)0, 0)
#else
#define ka_launch(backend, range, ...) ka_launch_needs_kacc__compile_this_file_with_kacc
#endif

/* What ka_launch becomes; the compiler fills in kernel, tuple and its size. */
KA_API ka_status ka__launch(ka_backend *backend, ka_ndrange range, struct ka__kernel *kernel,
                            const void *tuple, size_t tuple_bytes);

/* As an argument for a `ka_local` pointer parameter: that much group memory for each group. */
static inline void *ka_scratch(size_t bytes) { return (void *)bytes; }

/* ---- Kernels as values ----------------------------------------------------------------------- */

/* A kernel on a backend, for programs that choose kernels, or learn of them, when they run. All
 * files may use it, whichever C or C++ compiler they are compiled with. It belongs to libka and
 * needs no release; two calls for one kernel and backend give the same pointer. It holds nothing
 * alive: once the library that defines the kernel is closed, every use of the handle gives
 * KA_ERROR_INVALID_ARGUMENT. Closing a library while another thread uses its kernels is an error
 * of the program. */
typedef struct ka_kernel ka_kernel;

/* ka_kernel_of(backend, kernel): the handle of a kernel that is declared here; in files compiled
 * by kacc. Does not build the kernel. Allocates the first time. NULL, with the reason as the
 * message, if the backend is NULL, the kernel's bundle is damaged, or there is no host memory. */
#ifdef __KA__
#define ka_kernel_of(backend, kernel)                                                              \
  ka__kernel_of((backend), ((void)(kernel), (struct ka__kernel *)0))
#else
#define ka_kernel_of(backend, kernel) ka_kernel_of_needs_kacc__compile_this_file_with_kacc
#endif
KA_API ka_kernel *ka__kernel_of(ka_backend *backend, struct ka__kernel *kernel);

typedef struct ka_kernel_properties {
  const char *name; /* as in the source */
  const char *file; /* where it is defined */
  uint32_t line;
  uint32_t parameter_count;
  uint64_t tuple_bytes;        /* of a structure of the parameters: what ka_launch_tuple takes */
  uint64_t static_group[3];    /* [[ka::group_size]]; 0, 0, 0: none */
  uint64_t max_group_size;     /* items in a group of this kernel */
  uint64_t preferred_multiple; /* group sizes that suit the device are multiples of this */
  uint64_t local_bytes;        /* group memory of a group, without what ka_scratch asks for */
  uint64_t private_bytes;    /* memory of an item besides registers; 0 where the driver says none */
  bool barriers;             /* synchronises the items of a group */
  uint32_t sub_group_size;   /* ka_sub_group_max_size() in it; 0: it uses no sub-groups */
  uint64_t item_local_bytes; /* group memory that each item of a group takes besides, to exchange
                                values by sub-group and group functions */
} ka_kernel_properties;

/* Fills *info for the kernel on the calling thread's active device. The first call for a device
 * builds the kernel there, which can take long. The strings live as long as the handle is good.
 * Errors: KA_ERROR_INVALID_ARGUMENT (NULL, a handle whose library was closed), and those of
 * building a kernel, as in ka_launch. */
KA_API ka_status ka_kernel_info(ka_kernel *kernel, ka_kernel_properties *info);

typedef enum ka_parameter_kind {
  KA_PARAMETER_SCALAR = 0,    /* number, _Bool, enumeration, complex, vector */
  KA_PARAMETER_POINTER = 1,   /* to memory */
  KA_PARAMETER_AGGREGATE = 2, /* structure or union by value */
  KA_PARAMETER_LOCAL = 3      /* ka_local pointer: takes ka_scratch(bytes) */
} ka_parameter_kind;

typedef struct ka_kernel_parameter {
  const char *name; /* "" if it has none */
  const char *type; /* as in the source: "const float *restrict" */
  ka_parameter_kind kind;
  bool is_const;   /* pointer to const */
  uint64_t size;   /* bytes */
  uint64_t offset; /* in a structure of the parameters, bytes */
} ka_kernel_parameter;

/* Fills *parameter for the parameter with this number, from 0. Does not build the kernel.
 * Errors: KA_ERROR_INVALID_ARGUMENT (NULL, no such parameter, a handle whose library was closed).
 */
KA_API ka_status ka_kernel_parameter_info(ka_kernel *kernel, uint32_t number,
                                          ka_kernel_parameter *parameter);

/* Launches a kernel that is known by its handle. Two forms:
 *
 *   ka_launch_tuple(kernel, range, ka_tuple(a, b, ...))       (ka/tuple.h)
 *   ka_launch_tuple(kernel, range, &tuple, sizeof tuple)
 *
 * The first compares each argument with the kernel's parameter; a difference in number, kind, type
 * or size is KA_ERROR_ARGUMENT_MISMATCH, and the message names kernel, parameter, what is wanted
 * and what was given. The second takes a structure whose members are the kernel's parameters in
 * order, as ka_kernel_parameter_info describes them, and only its size can be checked; NULL, 0 for
 * a kernel without parameters. In both ka_scratch(bytes) stands for a `ka_local` parameter.
 *
 * Everything else is as for ka_launch: arguments are copied before it returns, memory is kept, the
 * errors are the same, and for a handle that is NULL or whose library was closed
 * KA_ERROR_INVALID_ARGUMENT. Allocates only if the first form's tuple takes more than 4 KiB, and
 * then while it runs. */
#define ka_launch_tuple(kernel, range, ...)                                                        \
  KA__COUNTED(__VA_ARGS__, ka_launch_tuple_takes_two_or_three_arguments_after_the_kernel,          \
              ka_launch_tuple_takes_two_or_three_arguments_after_the_kernel,                       \
              ka_launch_tuple_takes_two_or_three_arguments_after_the_kernel,                       \
              ka_launch_tuple_takes_two_or_three_arguments_after_the_kernel,                       \
              ka_launch_tuple_takes_two_or_three_arguments_after_the_kernel,                       \
              ka_launch_tuple_takes_two_or_three_arguments_after_the_kernel, ka__launch_packed,    \
              ka__launch_arguments, )                                                              \
  (kernel, range,                                                                                  \
   KA__IF_EMPTY(ka_launch_tuple_takes_two_or_three_arguments_after_the_kernel, __VA_ARGS__, )      \
       __VA_ARGS__)
KA_API ka_status ka__launch_packed(ka_kernel *kernel, ka_ndrange range, const void *tuple,
                                   size_t tuple_bytes);
KA_API ka_status ka__launch_arguments(ka_kernel *kernel, ka_ndrange range, ka_arguments arguments);

/* ---- Waiting --------------------------------------------------------------------------------- */

/* Waits until all work in the calling thread's queue on its active device has completed. Returns
 * the first error of that work since the last ka_synchronize. Blocks without spinning for long.
 *
 * A program that ends without it waits all the same; errors that nobody asked for are printed to
 * stderr, and the exit status stays the program's own. It does so in an exit function that is
 * registered when a backend is opened and anew when a kernel is first launched, and that first lets
 * other threads finish the calls they are in. What runs after that, static destructors, exit
 * functions that were registered before and other threads, may call ka_free; launches, copies,
 * fills, allocations and ka_synchronize give KA_ERROR_NO_DEVICE there. _exit, quick_exit and abort
 * wait for nothing and print nothing.
 *
 * Errors: KA_ERROR_KERNEL_FAILED and _KERNEL_TRAP (for that work), _INVALID_POINTER (with
 * KA_CHECK=1: the source of a copy was changed too early), _CANCELLED (the calling task was, and
 * the work has completed), _INVALID_ARGUMENT (NULL backend; in a callback of a loop that runs
 * tasks, unless the work has completed), _NO_DEVICE, _OUT_OF_MEMORY, _OUT_OF_DEVICE_MEMORY,
 * _DRIVER. */
KA_API ka_status ka_synchronize(ka_backend *backend);

/* ---- Events ---------------------------------------------------------------------------------- */

/* A moment in a queue: everything that was put in before has completed, or failed.
 * docs/reference/events.md has the whole story. */
typedef struct ka_event ka_event;

/* Records the present end of the caller's queue on its active device. Returns at once; only a
 * backend whose work cannot be asked how far it is synchronises instead, and gives a NULL event,
 * which has passed. The event is the caller's, to be given up by ka_event_release. Errors:
 * KA_ERROR_INVALID_ARGUMENT (NULL), _NO_DEVICE, _OUT_OF_MEMORY, _DRIVER. */
KA_API ka_status ka_record_event(ka_backend *backend, ka_event **event);

/* What the caller puts in its queue on its active device from now on runs after the event. Does not
 * block where the driver can order queues: within one device. Otherwise waits as ka_event_wait
 * does. NULL event: nothing. If something before the event fails, that is a failure in the caller's
 * queue too, and ka_synchronize returns it. Errors: KA_ERROR_INVALID_ARGUMENT (NULL backend),
 * _NO_DEVICE, _OUT_OF_MEMORY, _DRIVER. */
KA_API ka_status ka_wait_event(ka_backend *backend, const ka_event *event);

/* Whether the event has passed; true for NULL. Waits for no work; but if it has passed and kernels
 * of its queue have printed, that is written to stdout, unless another thread is doing so, and
 * blocks for as long as a write there does. */
KA_API bool ka_event_query(const ka_event *event);

/* Waits until the event has passed. In a task, other tasks run meanwhile. Returns the first failure
 * before the event that ka_synchronize of its queue had not returned when it was recorded, each
 * time it is asked; it stays to be returned by ka_synchronize. NULL: returns at once. Errors:
 * KA_ERROR_KERNEL_FAILED, _KERNEL_TRAP, _CANCELLED (the calling task was, and the event has
 * passed), _INVALID_ARGUMENT (in a callback of a loop that runs tasks, unless the event has
 * passed), _NO_DEVICE, _OUT_OF_MEMORY, _DRIVER. */
KA_API ka_status ka_event_wait(const ka_event *event);

/* The time from one event to another of the same device, by its clock, in nanoseconds; negative if
 * `to` passed first. The time of an event is that at which what was put in before it had completed,
 * or, if it had already, at which it was recorded. The clock ticks every
 * ka_device_properties.timer_resolution_ns. Does not block. Errors: KA_ERROR_INVALID_ARGUMENT (NULL
 * place, an event that has not passed, events of two devices), _UNSUPPORTED (NULL events, a device
 * that gives no times), _NO_DEVICE, _DRIVER. */
KA_API ka_status ka_event_elapsed(const ka_event *from, const ka_event *to, int64_t *nanoseconds);

/* Has the function called once when the event has passed, also if what was before it failed, on a
 * thread of libka that does nothing else; maybe before ka_event_on_complete returns. The function
 * may use all of libka, also wait, and release the event; the next one is called when it returns.
 * Each call adds one. The event is there while the function runs even if it was released before. A
 * program that ends does not wait for functions to be called. NULL event: the function is called
 * with it. Allocates. Errors: KA_ERROR_INVALID_ARGUMENT (NULL function), _NO_DEVICE,
 * _OUT_OF_MEMORY, _DRIVER. */
typedef void ka_event_function(ka_event *event, void *argument);
KA_API ka_status ka_event_on_complete(ka_event *event, ka_event_function *function, void *argument);

/* A file descriptor that becomes readable, and stays so, when the event has passed, for poll, epoll
 * and the loops that stand on them. Each call gives a new one, which is the caller's to close, at
 * any time; it need not be read (8 bytes, the number 1). It is independent of the event, which may
 * be released. NULL event: one that is readable. -1, with a text, if none can be had. */
KA_API int ka_event_fd(const ka_event *event);

/* At any time, also while something waits for the event. NULL is fine. */
KA_API void ka_event_release(ka_event *event);

/* ---- Priority -------------------------------------------------------------------------------- */

typedef enum ka_priority_level {
  KA_PRIORITY_NORMAL = 0,
  KA_PRIORITY_HIGH = 1,
  KA_PRIORITY_LOW = -1
} ka_priority_level;

/* What the caller puts in its queue on its active device from now on, after what is there, is
 * served before, or after, the work of other queues, as far as the driver can. A new thread's or
 * task's queue has KA_PRIORITY_NORMAL, which every device takes. Does not block. Errors:
 * KA_ERROR_UNSUPPORTED (the device has no priorities; the program can go on), _INVALID_ARGUMENT
 * (NULL backend, no such level), _NO_DEVICE, _OUT_OF_MEMORY, _DRIVER. */
KA_API ka_status ka_priority(ka_backend *backend, ka_priority_level level);

#ifdef __cplusplus
}
#endif
#endif
