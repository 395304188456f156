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

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void transpose(ulong n, __global const float *restrict in, __global float *restrict out)
{
  __local float tile[TILE][TILE + 1];
  size_t x = get_local_id(0), y = get_local_id(1);
  size_t left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
  tile[y][x] = in[(top + y) * n + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(left + y) * n + top + x] = tile[x][y];
}

__kernel void stencil(ulong n, __global const float *restrict in, __global float *restrict out)
{
  size_t x = get_global_id(0), y = get_global_id(1), at = y * n + x;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
    out[at] = in[at];
  else
    out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void nbody(ulong n, __global const float4 *restrict bodies, __global float4 *restrict pulls)
{
  __local float4 near[GROUP];
  size_t lane = get_local_id(0), i = get_global_id(0);
  float4 own = bodies[i];
  float3 pull = 0;
  for (size_t start = 0; start < n; start += GROUP) {
    near[lane] = bodies[start + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t j = 0; j < GROUP; ++j) {
      float3 way = near[j].xyz - own.xyz;
      float inverse = 1.0f / sqrt(dot(way, way) + 0.01f);
      pull += near[j].w * inverse * inverse * inverse * way;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  pulls[i] = (float4)(pull, 0);
}

__kernel void spmv(__global const uint *restrict row_start, __global const uint *restrict columns,
                   __global const float *restrict values, __global const float *restrict x,
                   __global float *restrict y)
{
  size_t row = get_global_id(0);
  float sum = 0;
  for (uint i = row_start[row]; i < row_start[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}

#define RATE 0.02f
#define VOLATILITY 0.30f

/* The normal distribution below d, by Abramowitz and Stegun 26.2.17. */
float normal_below(float d)
{
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float tail = 0.39894228f * exp(-0.5f * d * d) * k *
               (0.31938153f +
                k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return d > 0 ? 1.0f - tail : tail;
}

__kernel void black_scholes(__global const float *restrict spots,
                            __global const float *restrict strikes,
                            __global const float *restrict years, __global float *restrict calls,
                            __global float *restrict puts)
{
  size_t i = get_global_id(0);
  float deviation = VOLATILITY * sqrt(years[i]);
  float d1 = (log(spots[i] / strikes[i]) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * years[i]) /
             deviation;
  float below1 = normal_below(d1), below2 = normal_below(d1 - deviation);
  float discounted = strikes[i] * exp(-RATE * years[i]);
  calls[i] = spots[i] * below1 - discounted * below2;
  puts[i] = discounted * (1.0f - below2) - spots[i] * (1.0f - below1);
}

#define MOST_STEPS 256

/* Without contraction, so that the count of steps is the same everywhere. */
__kernel void mandelbrot(ulong n, __global uint *restrict steps)
{
#pragma OPENCL FP_CONTRACT OFF
  size_t column = get_global_id(0), row = get_global_id(1);
  float a = -2.0f + 3.0f * (float)column / (float)n, b = -1.5f + 3.0f * (float)row / (float)n;
  float x = 0, y = 0;
  uint step = 0;
  while (step < MOST_STEPS && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + a;
    y = 2.0f * x * y + b;
    x = next;
    ++step;
  }
  steps[row * n + column] = step;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduction(__global const float *restrict in, __global float *restrict sums)
{
  __local float part[GROUP];
  size_t lane = get_local_id(0), first = get_group_id(0) * GROUP * VALUES_PER_ITEM + lane;
  float sum = 0;
  for (size_t i = 0; i < VALUES_PER_ITEM; ++i)
    sum += in[first + i * GROUP];
  part[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t half_way = GROUP / 2; half_way > 0; half_way /= 2) {
    if (lane < half_way)
      part[lane] += part[lane + half_way];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0)
    sums[get_group_id(0)] = part[0];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan(__global const uint *restrict in, __global uint *restrict out)
{
  __local uint sums[GROUP];
  size_t lane = get_local_id(0), i = get_global_id(0);
  sums[lane] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t by = 1; by < GROUP; by *= 2) {
    uint before = lane >= by ? sums[lane - by] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[lane] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sums[lane];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bitonic_sort(__global const uint *restrict in, __global uint *restrict out)
{
  __local uint values[GROUP];
  size_t lane = get_local_id(0), i = get_global_id(0);
  values[lane] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t run = 2; run <= GROUP; run *= 2)
    for (size_t by = run / 2; by > 0; by /= 2) {
      size_t other = lane ^ by;
      uint mine = values[lane], its = values[other];
      bool wants_less = (lane < other) == ((lane & run) == 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      values[lane] = (mine < its) == wants_less ? mine : its;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  out[i] = values[lane];
}

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
