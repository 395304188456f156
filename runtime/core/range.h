/* Ranges: their checks, and how they are divided into groups. */
#ifndef KA_RUNTIME_CORE_RANGE_H
#define KA_RUNTIME_CORE_RANGE_H

#include "runtime/core/module.h"

/* A range divided into groups. */
struct ka__grid {
  uint32_t dimensions; /* that have more than one item or a group of more than one */
  size_t items[3];     /* whole groups */
  size_t group[3];
  bool padded; /* whole groups hold more items than the range */
};

/* What can be checked without a device. `*empty`: nothing is to be launched. */
ka_status ka__range_check(const struct ka__kernel_view *kernel, const ka_ndrange *range,
                          bool *empty);

/* Divides a checked range that is not empty into groups: of the given size, the kernel's static
 * size, or one that is chosen. */
ka_status ka__range_divide(const struct ka__kernel_view *kernel, const ka_ndrange *range,
                           const ka_device_properties *device, size_t max_group_size,
                           struct ka__grid *grid);

/* If the kernel has an entry point for whole groups that serves the range: places the launch, for
 * which `told` must live, and returns it. Else NULL. */
struct ka__function *ka__range_in_groups(struct ka__built_kernel *built, const ka_ndrange *range,
                                         const struct ka__grid *grid, struct ka__launch *launch,
                                         struct ka_group_range *told);

#endif
