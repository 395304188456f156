/* The benchmark's kernels, launched by ka: each does what its namesake in peer_kernels.cl does. */
#ifndef KA_BENCHMARK_KERNELS_H
#define KA_BENCHMARK_KERNELS_H

#include "work.h"

/* Of black_scholes. */
#define RATE       0.02f
#define VOLATILITY 0.30f
/* Of bilateral_exp. */
#define NEARNESS_FACTOR (-1.0f / 18)
#define LIKENESS_FACTOR (-1.0f / 3200)

enum {
  TILE = 16,
  BINS = 256,
  GROUP = 256,
  VALUES_PER_ITEM = 16,
  RADIUS = 5,
  DIAMETER = 11,
  NEARNESS_WEIGHTS = DIAMETER * DIAMETER,
  LIKENESS_WEIGHTS = 3 * 255 + 1,
  MOST_STEPS = 256
};

/* In nbody's result the mass is 0. */
struct body {
  float x, y, z, mass;
};

/* A kernel's name, and who launches it; a name of NULL ends the list. */
typedef void kernel_launcher(struct work *work, ka_ndrange range);
struct kernel_launch {
  const char *kernel;
  kernel_launcher *launch;
};
/* The kernels without assertions; with one about ids in each that the group "traps" measures; with
 * one about data; with a check alone of the same, where no barrier follows. */
extern const struct kernel_launch kernel_launches[], kernel_launches_ids[], kernel_launches_data[],
    kernel_launches_checked[];

#endif
