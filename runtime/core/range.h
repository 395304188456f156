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

/* If the kernel has a group variant that serves the range: says in the launch how many items of the
 * device run it, and in *told, to which the launch then points, what each of them is to do. False
 * if another entry point must serve. */
bool ka__range_by_groups(const struct ka__built_kernel *built, const ka_ndrange *range,
                         const struct ka__grid *grid, struct ka__launch *launch,
                         struct ka_group_range *told);

#endif
