/* Kernel objects and launches. An OpenCL kernel object holds the arguments of the launch to come,
 * so two threads must not use one object at once: each entry point has a pool of them. What an
 * object has from its last launch and is the same in the next is not set again. */
#include "runtime/backends/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kernel_object {
  cl_kernel kernel;
  struct kernel_object *next; /* in the pool */
  bool is_set;                /* the kernel's own arguments are those of `tuple` */
  char *tuple;                /* room for one, behind `indirect` */
  const void *indirect[];     /* room for the pointers that are in memory */
};

/* How an argument is compared, kept and set. The sizes that most have are kinds of their own. */
enum kind { POINTER, EIGHT_BYTES, FOUR_BYTES, BYTES, GROUP_MEMORY, KINDS };

/* One of the kernel's own parameters that the entry point has, too. */
struct argument {
  size_t offset, bytes; /* in the tuple */
  cl_uint index;        /* of the entry point's parameter */
};

/* What is kept of an entry point: its kernel objects, and what is the same in all its launches. */
struct pool {
  /* The object put back last, for a thread that launches the kernel again: no lock is needed. */
  _Atomic(struct kernel_object *) latest;
  pthread_mutex_t lock; /* held to put in or take out one of the others */
  struct kernel_object *idle;
  /* Pointers inside aggregate parameters, spilled ones, and the print buffer in the mailbox. */
  size_t indirect_count;
  struct ka__cl_label label; /* of the launches */
  /* By kind: those of one kind begin at first[kind], and end where the next kind begins. */
  cl_uint first[KINDS + 1];
  struct argument arguments[];
};

/* NULL and a status if it cannot be had. */
static struct kernel_object *make_object(struct ka__function *function, ka_status *status) {
  const struct pool *pool = function->driver;
  size_t indirect_bytes = pool->indirect_count * sizeof(void *);
  struct kernel_object *object =
      calloc(1, sizeof *object + indirect_bytes + function->kernel->record->tuple_bytes);
  if (!object) {
    *status = ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory for a kernel object");
    return NULL;
  }
  cl_int error = CL_SUCCESS;
  object->kernel = ka__cl.clCreateKernel(function->program, function->entry, &error);
  if (!object->kernel) {
    free(object);
    *status = ka__cl_fail(error, "clCreateKernel", "entry point '%s'", function->entry);
    return NULL;
  }
  object->tuple = (char *)object->indirect + indirect_bytes;
  return object;
}

static struct kernel_object *take_object(struct ka__function *function, ka_status *status) {
  struct pool *pool = function->driver;
  struct kernel_object *object =
      atomic_exchange_explicit(&pool->latest, NULL, memory_order_acquire);
  if (object)
    return object;
  pthread_mutex_lock(&pool->lock);
  object = pool->idle;
  if (object)
    pool->idle = object->next;
  pthread_mutex_unlock(&pool->lock);
  return object ? object : make_object(function, status);
}

static void put_object(struct ka__function *function, struct kernel_object *object) {
  struct pool *pool = function->driver;
  object = atomic_exchange_explicit(&pool->latest, object, memory_order_acq_rel);
  if (!object)
    return;
  pthread_mutex_lock(&pool->lock);
  object->next = pool->idle;
  pool->idle = object;
  pthread_mutex_unlock(&pool->lock);
}

static bool is_spilled(const struct ka_metadata_param *param) {
  return param->flags & KA_METADATA_SPILLED;
}

static bool prints(const struct ka__function *function) {
  return function->kernel->record->flags & KA_METADATA_PRINTS;
}

/* A driver that does not share all memory is told what pointers in memory lead to: those inside
 * aggregates, spilled ones, and the one in the mailbox. */
static bool declares_indirect(const struct ka__function *function) {
  const struct pool *pool = function->driver;
  return pool->indirect_count && !function->device->properties.host_pointers;
}

static ka_status make_stand_in(struct ka__device *device) {
  struct ka__cl_device *driver = device->driver;
  if (atomic_load(&driver->stand_in))
    return KA_OK;
  void *memory, *none = NULL;
  ka_status status = ka__cl_alloc_device(device, 0, &memory);
  if (status == KA_OK && !atomic_compare_exchange_strong(&driver->stand_in, &none, memory))
    ka__cl_free(device, memory);
  return status;
}

/* The driver's figures for the kernel on the device. */
static ka_status ask(struct ka__function *function, cl_kernel kernel) {
  const struct ka__cl_device *device = function->device->driver;
  cl_ulong local = 0, private = 0;
  const struct {
    cl_kernel_work_group_info what;
    size_t bytes;
    void *answer;
  } questions[] = {
      {CL_KERNEL_WORK_GROUP_SIZE, sizeof(size_t), &function->max_group_size},
      {CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(size_t), &function->preferred_multiple},
      {CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local},
      {CL_KERNEL_PRIVATE_MEM_SIZE, sizeof private, &private},
  };
  for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
    cl_int error = ka__cl.clGetKernelWorkGroupInfo(kernel, device->id, questions[q].what,
                                                   questions[q].bytes, questions[q].answer, NULL);
    if (error != CL_SUCCESS)
      return ka__cl_fail(error, "clGetKernelWorkGroupInfo", "entry point '%s'", function->entry);
  }
  function->local_bytes = local;
  function->private_bytes = private;
  return KA_OK;
}

static enum kind kind_of(const struct ka_metadata_param *param) {
  if (param->kind == KA_METADATA_POINTER)
    return POINTER;
  if (param->kind == KA_METADATA_LOCAL)
    return GROUP_MEMORY;
  return param->size == 8 ? EIGHT_BYTES : param->size == 4 ? FOUR_BYTES : BYTES;
}

/* With what launches need to know of the parameters, sorted: a loop that sets arguments of one kind
 * and size has no decisions to take. */
static struct pool *make_pool(const struct ka__kernel_view *kernel) {
  uint32_t count = kernel->record->param_count;
  struct pool *pool = calloc(1, sizeof *pool + count * sizeof *pool->arguments);
  if (!pool)
    return NULL;
  snprintf(pool->label.kernel, sizeof pool->label.kernel, "%s", kernel->name);
  cl_uint sorted = 0;
  for (int kind = 0; kind < KINDS; kind++) {
    cl_uint index = 0;
    for (uint32_t p = 0; p < count; p++) {
      const struct ka_metadata_param *param = &kernel->params[p];
      if (is_spilled(param))
        continue;
      if (kind_of(param) == (enum kind)kind)
        pool->arguments[sorted++] = (struct argument){param->offset, param->size, index};
      index++;
    }
    pool->first[kind + 1] = sorted;
  }
  pool->label.arguments = (uint16_t)sorted; /* no device takes as many as that */
  return pool;
}

ka_status ka__cl_function_create(struct ka__function *function) {
  struct pool *pool = make_pool(function->kernel);
  if (!pool)
    return ka__fail(KA_ERROR_OUT_OF_MEMORY, "no host memory for a kernel");
  for (uint32_t i = 0; i < function->pointer_count; i++)
    pool->indirect_count += function->pointers[i].in_memory;
  pool->indirect_count += prints(function);
  pthread_mutex_init(&pool->lock, NULL);
  function->driver = pool;
  ka_status status = declares_indirect(function) ? make_stand_in(function->device) : KA_OK;
  struct kernel_object *object = status == KA_OK ? make_object(function, &status) : NULL;
  if (object) {
    put_object(function, object);
    status = ask(function, object->kernel);
    /* A device runs groups of one item, whatever it says. */
    if (function->max_group_size == 0)
      function->max_group_size = 1;
  }
  if (status != KA_OK)
    ka__cl_function_release(function);
  return status;
}

void ka__cl_function_release(struct ka__function *function) {
  struct pool *pool = function->driver;
  struct kernel_object *latest = atomic_load(&pool->latest);
  if (latest) {
    latest->next = pool->idle;
    pool->idle = latest;
  }
  while (pool->idle) {
    struct kernel_object *object = pool->idle;
    pool->idle = object->next;
    ka__cl.clReleaseKernel(object->kernel);
    free(object);
  }
  pthread_mutex_destroy(&pool->lock);
  free(pool);
  function->driver = NULL;
}

/* Adds to the text that the arguments are more than the device promises to take, if they are.
 * Drivers may take more, so nothing is refused before the driver does. */
static ka_status blame_size(const struct ka__function *function, ka_status status) {
  const ka_device_properties *device = &function->device->properties;
  const struct ka__kernel_view *kernel = function->kernel;
  uint64_t bytes = 0;
  for (uint32_t p = 0; p < kernel->record->param_count; p++)
    bytes += is_spilled(&kernel->params[p]) ? 0 : kernel->params[p].size;
  if (!device->max_parameter_bytes || bytes <= device->max_parameter_bytes)
    return status;
  return ka__fail(status,
                  "%s; its arguments take %llu bytes, and device '%s' promises to take %llu: pass "
                  "them in memory of ka_alloc()",
                  ka_error_message(), (unsigned long long)bytes, device->name,
                  (unsigned long long)device->max_parameter_bytes);
}

/* Which parameter the entry point has at the index. */
static const char *name_of_argument(const struct ka__kernel_view *kernel, cl_uint index) {
  for (uint32_t p = 0; p < kernel->record->param_count; p++)
    if (!is_spilled(&kernel->params[p]) && index-- == 0)
      return kernel->strings + kernel->params[p].name;
  return "(of the range, group memory, the mailbox or the copy of the arguments)";
}

static ka_status argument_failed(cl_int error, const char *call,
                                 const struct ka__function *function, cl_uint index) {
  const struct ka__kernel_view *kernel = function->kernel;
  const char *name = name_of_argument(kernel, index);
  return blame_size(function,
                    ka__cl_fail(error, call, "kernel '%s', parameter '%s'", kernel->name, name));
}

static ka_status set_argument(const struct ka__function *function, cl_kernel kernel, cl_uint index,
                              size_t bytes, const void *value) {
  cl_int error = ka__cl.clSetKernelArg(kernel, index, bytes, value);
  return error == CL_SUCCESS ? KA_OK : argument_failed(error, "clSetKernelArg", function, index);
}

static ka_status set_pointer(const struct ka__function *function, cl_kernel kernel, cl_uint index,
                             const char *at) {
  const void *pointer;
  memcpy(&pointer, at, sizeof pointer);
  cl_int error = ka__cl.clSetKernelArgSVMPointer(kernel, index, pointer);
  return error == CL_SUCCESS ? KA_OK
                             : argument_failed(error, "clSetKernelArgSVMPointer", function, index);
}

/* Tells the driver of all memory that is reached through pointers in memory, instead of what it was
 * told for the kernel object's last launch. */
static ka_status declare_indirect(const struct ka__function *function, struct kernel_object *object,
                                  const struct ka__launch *launch) {
  const char *tuple = launch->tuple;
  size_t count = 0;
  for (uint32_t i = 0; i < function->pointer_count; i++) {
    const void *pointer;
    memcpy(&pointer, tuple + function->pointers[i].offset, sizeof pointer);
    if (pointer && function->pointers[i].in_memory)
      object->indirect[count++] = pointer;
  }
  if (prints(function))
    object->indirect[count++] = launch->prints;
  /* If all are NULL: OpenCL does not say that a list may be empty. */
  if (count == 0) {
    const struct ka__cl_device *driver = function->device->driver;
    object->indirect[count++] = atomic_load(&driver->stand_in);
  }
  cl_int error = ka__cl.clSetKernelExecInfo(object->kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                            count * sizeof *object->indirect, object->indirect);
  return error == CL_SUCCESS
             ? KA_OK
             : ka__cl_fail(error, "clSetKernelExecInfo", "kernel '%s'", function->kernel->name);
}

/* What only the padded entry point takes, from parameter *count on: the extents, and how much group
 * memory there is behind each parameter that points to some. */
static ka_status set_padded_arguments(const struct ka__function *function, cl_kernel kernel,
                                      const struct ka__launch *launch, cl_uint *count) {
  const struct ka__kernel_view *view = function->kernel;
  cl_uint index = *count;
  ka_status status = KA_OK;
  for (int d = 0; d < 3 && status == KA_OK; d++)
    status = set_argument(function, kernel, index++, sizeof *launch->extents, &launch->extents[d]);
  for (uint32_t p = 0; p < view->record->param_count && status == KA_OK; p++)
    if (view->params[p].kind == KA_METADATA_LOCAL)
      status = set_argument(function, kernel, index++, sizeof(uint64_t),
                            (const char *)launch->tuple + view->params[p].offset);
  *count = index;
  return status;
}

static cl_int set_group_memory(cl_kernel kernel, cl_uint index, const char *at) {
  size_t bytes;
  memcpy(&bytes, at, sizeof bytes);
  /* OpenCL knows no group memory of 0 bytes. */
  return ka__cl.clSetKernelArg(kernel, index, bytes ? bytes : 1, NULL);
}

/* Sets the arguments of one kind, which all have so many bytes (0: each its own), but for those
 * that stay as they are if they are the same. Inlined, or each argument would cost the decisions
 * that sorting them has saved. */
__attribute__((always_inline)) static inline ka_status set_kind(const struct ka__function *function,
                                                                const struct kernel_object *object,
                                                                const char *tuple, enum kind kind,
                                                                size_t bytes, bool stay) {
  const struct pool *pool = function->driver;
  const struct argument *argument = &pool->arguments[pool->first[kind]];
  const struct argument *end = &pool->arguments[pool->first[kind + 1]];
  char *known = object->tuple;
  for (; argument < end; argument++) {
    const char *at = tuple + argument->offset;
    char *last = known + argument->offset;
    size_t n = bytes ? bytes : argument->bytes;
    if (stay && memcmp(last, at, n) == 0)
      continue;
    memcpy(last, at, n);
    const void *pointer;
    cl_int error;
    if (kind == POINTER) {
      memcpy(&pointer, at, sizeof pointer);
      error = ka__cl.clSetKernelArgSVMPointer(object->kernel, argument->index, pointer);
    } else if (kind == GROUP_MEMORY) {
      error = set_group_memory(object->kernel, argument->index, at);
    } else {
      error = ka__cl.clSetKernelArg(object->kernel, argument->index, n, at);
    }
    if (error != CL_SUCCESS)
      return argument_failed(error, kind == POINTER ? "clSetKernelArgSVMPointer" : "clSetKernelArg",
                             function, argument->index);
  }
  return KA_OK;
}

/* Sets those of the kernel's own parameters that are not set yet. A pointer to the same address is
 * not the same to a driver that looks memory up when it is set. */
static ka_status set_parameters(const struct ka__function *function, struct kernel_object *object,
                                const char *tuple) {
  bool stay = object->is_set;
  bool pointers_stay = stay && function->device->properties.host_pointers;
  object->is_set = false; /* in case that one fails */
  ka_status status =
      set_kind(function, object, tuple, POINTER, sizeof(const void *), pointers_stay);
  if (status == KA_OK)
    status = set_kind(function, object, tuple, EIGHT_BYTES, 8, stay);
  if (status == KA_OK)
    status = set_kind(function, object, tuple, FOUR_BYTES, 4, stay);
  if (status == KA_OK)
    status = set_kind(function, object, tuple, BYTES, 0, stay);
  if (status == KA_OK)
    status = set_kind(function, object, tuple, GROUP_MEMORY, sizeof(size_t), stay);
  object->is_set = status == KA_OK;
  return status;
}

static ka_status set_arguments(const struct ka__function *function, struct kernel_object *object,
                               const struct ka__launch *launch) {
  const struct ka__kernel_view *view = function->kernel;
  const struct pool *pool = function->driver;
  cl_uint i = pool->first[KINDS];
  ka_status status = set_parameters(function, object, launch->tuple);
  if (launch->spilled && status == KA_OK)
    status = set_pointer(function, object->kernel, i++, (const char *)&launch->spilled);
  if (launch->mailbox && status == KA_OK)
    status = set_pointer(function, object->kernel, i++, (const char *)&launch->mailbox);
  if (launch->mailbox && status == KA_OK)
    status = set_argument(function, object->kernel, i++, sizeof launch->ticket, &launch->ticket);
  if (launch->range && status == KA_OK)
    status = set_argument(function, object->kernel, i++, sizeof *launch->range, launch->range);
  if (launch->extents && status == KA_OK)
    status = set_padded_arguments(function, object->kernel, launch, &i);
  if (view->record->item_local_bytes && status == KA_OK)
    status = set_argument(function, object->kernel, i,
                          view->record->item_local_bytes * launch->group[0] * launch->group[1] *
                              launch->group[2],
                          NULL);
  if (status == KA_OK && declares_indirect(function))
    status = declare_indirect(function, object, launch);
  return status;
}

static bool fits_32_bits(size_t x, size_t y, size_t z) {
  size_t product;
  return !__builtin_mul_overflow(x, y, &product) && !__builtin_mul_overflow(product, z, &product) &&
         product <= UINT32_MAX;
}

/* OpenCL gives a way to ask for no such limit, but drivers count groups in 32 bits: PoCL ends the
 * process at 2^32. Few ranges have that many items, so most need no division. */
static ka_status check_group_count(const struct ka__function *function,
                                   const struct ka__launch *launch) {
  const size_t *items = launch->items, *group = launch->group;
  if (fits_32_bits(items[0], items[1], items[2]) ||
      fits_32_bits(items[0] / group[0], items[1] / group[1], items[2] / group[2]))
    return KA_OK;
  return ka__fail(KA_ERROR_INVALID_RANGE,
                  "kernel '%s': %zu x %zu x %zu groups of %zu x %zu x %zu items are more than the "
                  "limit of %u groups; use larger groups, or launch the range in parts with "
                  "ka_with_offset()",
                  function->kernel->name, launch->items[0] / launch->group[0],
                  launch->items[1] / launch->group[1], launch->items[2] / launch->group[2],
                  launch->group[0], launch->group[1], launch->group[2], UINT32_MAX);
}

ka_status ka__cl_launch(struct ka__queue *queue, struct ka__function *function,
                        const struct ka__launch *launch) {
  const struct pool *pool = function->driver;
  ka_status status = check_group_count(function, launch);
  if (status != KA_OK)
    return status;
  struct kernel_object *object = take_object(function, &status);
  if (!object)
    return status;
  status = set_arguments(function, object, launch);
  cl_command_queue commands;
  if (status == KA_OK) {
    status = ka__cl_command_queue(queue, &commands);
    if (status != KA_OK)
      status = ka__fail(status, "kernel '%s' was not launched: %s", function->kernel->name,
                        ka_error_message());
  }
  cl_event event;
  if (status == KA_OK) {
    bool offset = launch->offset[0] || launch->offset[1] || launch->offset[2];
    cl_int error = ka__cl.clEnqueueNDRangeKernel(commands, object->kernel, launch->dimensions,
                                                 offset ? launch->offset : NULL, launch->items,
                                                 launch->group, 0, NULL, &event);
    if (error != CL_SUCCESS)
      status = blame_size(function,
                          ka__cl_fail(error, "clEnqueueNDRangeKernel", "kernel '%s' on device '%s'",
                                      function->kernel->name, queue->device->properties.name));
  }
  /* The driver has copied the arguments. */
  put_object(function, object);
  if (status == KA_OK)
    ka__cl_submitted(queue, launch->ticket, event, &pool->label);
  return status;
}
