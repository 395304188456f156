/* One kernel to be launched by ka and by hand with OpenCL: same device, same group size, same kind
 * of memory, same numbers. */
#ifndef KA_BENCHMARK_WORK_H
#define KA_BENCHMARK_WORK_H

#include "opencl_peer.h"

#include <ka/ka.h>

enum { WORK_BUFFERS = 10, WORK_MOST_LAUNCHES = 1000 };

/* Of the pairs, [0] is ka's and [1] the peer's. */
struct work {
  const char *name;           /* of the peer's kernel */
  size_t bytes[WORK_BUFFERS]; /* of each buffer; 0: there is none */
  unsigned char *buffer[2][WORK_BUFFERS];
  size_t n;        /* problem size, as the kernel understands it */
  size_t size[2];  /* of the range; size[1] 0: one dimension */
  size_t group[2]; /* 0: ka and the driver choose */
  int launches;    /* between two waits; at most WORK_MOST_LAUNCHES */
  bool changes;    /* each launch has other arguments than the one before */
  int turn;        /* for `launch` and `set_arguments`: 0, or the launch's number if it changes */
  bool watches;    /* the peer learns of each kernel whether it failed, as ka does */
  bool own_time;   /* counts the calling thread's time on a core, not the time that passes */
  void (*launch)(struct work *work, ka_ndrange range);
  void (*set_arguments)(struct work *work, cl_kernel kernel);
  cl_kernel kernel;
};

extern ka_backend *work_backend; /* after work_open */
extern struct peer work_peer;

/* Opens the default backend and its device for the peer. Once is enough. */
bool work_open(void);

/* Allocates the buffers of both sides, filled with zeros, and makes the peer's kernel. */
bool work_prepare(struct work *work);
void work_release(struct work *work);

/* Run both once from the buffers as they are, and say whether that wrote the same. */
bool work_agree_exactly(struct work *work, int output);
bool work_agree_floats(struct work *work, int output, float tolerance);
bool work_agree_bytes(struct work *work, int output, int tolerance);
/* The same, but beside what plain C expects: exactly for a tolerance of 0, else as floats, whose
 * error may be that share of 1 + |expected|. */
bool work_agree_with(struct work *work, int output, const void *expected, float tolerance);

/* One side: all launches, each with all its arguments, then the wait. In microseconds. The state is
 * a struct work. */
double work_run_ka(void *state);
double work_run_peer(void *state);

void work_set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value);
void work_set_pointer(cl_kernel kernel, cl_uint index, const void *pointer);

#endif
