/* The benchmark's kernels as one would write them in OpenCL C. */

__kernel void saxpy(float a, __global const float *restrict x, __global float *restrict y)
{
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}

#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(ulong n, __global const float *restrict a, __global const float *restrict b,
            __global float *restrict c)
{
  __local float a_tile[TILE][TILE], b_tile[TILE][TILE];
  size_t column = get_global_id(0), row = get_global_id(1);
  size_t x = get_local_id(0), y = get_local_id(1);
  float sum = 0;
  for (size_t start = 0; start < n; start += TILE) {
    a_tile[y][x] = a[row * n + start + x];
    b_tile[y][x] = b[(start + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t i = 0; i < TILE; ++i)
      sum += a_tile[y][i] * b_tile[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

#define BINS 256
#define GROUP 256
#define VALUES_PER_ITEM 16

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram(__global const uchar *restrict values, ulong count, __global uint *restrict bins)
{
  __local uint own[BINS];
  size_t lane = get_local_id(0);
  own[lane] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t first = get_group_id(0) * GROUP * VALUES_PER_ITEM + lane;
  for (size_t i = 0; i < VALUES_PER_ITEM; ++i) {
    size_t at = first + i * GROUP;
    if (at < count)
      atomic_inc(&own[values[at]]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[lane], own[lane]);
}

#define RADIUS 5
#define DIAMETER 11

__kernel void bilateral(__global const uchar *restrict in, __global uchar *restrict out, int width,
                        int height, __global const float *restrict nearness,
                        __global const float *restrict likeness)
{
  int x = get_global_id(0), y = get_global_id(1);
  __global const uchar *centre = &in[3 * (y * width + x)];
  float sum[3] = {0, 0, 0}, weights = 0;
  for (int dy = -RADIUS; dy <= RADIUS; ++dy)
    for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
      __global const uchar *pixel =
          &in[3 * (clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1))];
      int difference = abs((int)pixel[0] - (int)centre[0]) + abs((int)pixel[1] - (int)centre[1]) +
                       abs((int)pixel[2] - (int)centre[2]);
      float weight = nearness[(dy + RADIUS) * DIAMETER + dx + RADIUS] * likeness[difference];
      for (int colour = 0; colour < 3; ++colour)
        sum[colour] += weight * pixel[colour];
      weights += weight;
    }
  for (int colour = 0; colour < 3; ++colour)
    out[3 * (y * width + x) + colour] = (uchar)(sum[colour] / weights + 0.5f);
}

__kernel void bilateral_exp(__global const uchar *restrict in, __global uchar *restrict out,
                            int width, int height, float nearness, float likeness)
{
  int x = get_global_id(0), y = get_global_id(1);
  __global const uchar *centre = &in[3 * (y * width + x)];
  float sum[3] = {0, 0, 0}, weights = 0;
  for (int dy = -RADIUS; dy <= RADIUS; ++dy)
    for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
      __global const uchar *pixel =
          &in[3 * (clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1))];
      float difference = abs((int)pixel[0] - (int)centre[0]) +
                         abs((int)pixel[1] - (int)centre[1]) + abs((int)pixel[2] - (int)centre[2]);
      float weight = exp(nearness * (dx * dx + dy * dy) + likeness * difference * difference);
      for (int colour = 0; colour < 3; ++colour)
        sum[colour] += weight * pixel[colour];
      weights += weight;
    }
  for (int colour = 0; colour < 3; ++colour)
    out[3 * (y * width + x) + colour] = (uchar)(sum[colour] / weights + 0.5f);
}

#define FOR_EACH_ELEMENT(name, result)                                              \
  __kernel void name(__global const float *restrict x, __global float *restrict y) \
  {                                                                                 \
    size_t i = get_global_id(0);                                                    \
    y[i] = result;                                                                  \
  }
FOR_EACH_ELEMENT(exponential, exp(x[i]))
FOR_EACH_ELEMENT(square_root, sqrt(x[i]))
FOR_EACH_ELEMENT(multiply_add, fma(x[i], x[i], x[i]))
FOR_EACH_ELEMENT(sine, sin(x[i]))
FOR_EACH_ELEMENT(logarithm, log(x[i]))

#define TOUCH_GLOBAL __global
#define TOUCH_ID get_global_id(0)
#include "touch_arguments.h"

__kernel void touch_4(TOUCH_PARAMETERS_4) { TOUCH_BODY_4; }
__kernel void touch_40(TOUCH_PARAMETERS_40) { TOUCH_BODY_40; }
__kernel void touch_200(TOUCH_PARAMETERS_200) { TOUCH_BODY_200; }

/* saxpy of each type, as it is and with a static group of 1024. OpenCL starts whole groups, so that
 * a range which is not a multiple of 1024 needs the kernel with the bound. */
#define SAXPY(type)                                                                                \
  __kernel void saxpy_##type(type a, __global const type *restrict x, __global type *restrict y)   \
  {                                                                                                \
    size_t i = get_global_id(0);                                                                   \
    y[i] += a * x[i];                                                                              \
  }                                                                                                \
  __kernel __attribute__((reqd_work_group_size(1024, 1, 1)))                                       \
  void saxpy_##type##_1024(type a, __global const type *restrict x, __global type *restrict y)     \
  {                                                                                                \
    size_t i = get_global_id(0);                                                                   \
    y[i] += a * x[i];                                                                              \
  }                                                                                                \
  __kernel __attribute__((reqd_work_group_size(1024, 1, 1)))                                       \
  void saxpy_##type##_1024_bound(type a, __global const type *restrict x,                          \
                                 __global type *restrict y, ulong n)                               \
  {                                                                                                \
    size_t i = get_global_id(0);                                                                   \
    if (i < n)                                                                                     \
      y[i] += a * x[i];                                                                            \
  }

SAXPY(float)
#ifdef cl_khr_fp64
SAXPY(double)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
SAXPY(half)
#endif

kernel void compute(ulong rounds, global uint *out) {
  size_t i = get_global_id(0);
  uint x = out[i] + (uint)i;
  for (ulong r = 0; r < rounds; ++r)
    x = x * 1664525u + 1013904223u;
  out[i] = x;
}
