/* Checks ranges and chooses group sizes. */
#include "runtime/core/range.h"

#include "runtime/core/status.h"

#include <stdio.h>

/* Extents, offsets and the number of items are at most this. What is above is a negative number
 * that became unsigned, or would overflow when it is rounded up to whole groups. */
#define LIMIT ((size_t)PTRDIFF_MAX)

static const char axis[3] = {'x', 'y', 'z'};

static ka_status above_limit(const struct ka__kernel_view *kernel, const char *what, int d,
                             size_t value) {
  return ka__fail(
      KA_ERROR_INVALID_RANGE,
      "kernel '%s': the range's %s along %c is %zu (%lld as a signed number), above the "
      "limit of %zu",
      kernel->name, what, axis[d], value, (long long)value, LIMIT);
}

ka_status ka__range_check(const struct ka__kernel_view *kernel, const ka_ndrange *range,
                          bool *empty) {
  if (range->dimensions < 1 || range->dimensions > 3)
    return ka__fail(KA_ERROR_INVALID_RANGE,
                    "kernel '%s': the range has %u dimensions, but only 1 to 3 are possible; make "
                    "ranges with ka_range()",
                    kernel->name, range->dimensions);
  *empty = false;
  size_t total = 1;
  bool overflow = false;
  for (int d = 0; d < 3; d++) {
    if (range->size[d] > LIMIT)
      return above_limit(kernel, "extent", d, range->size[d]);
    if (range->offset[d] > LIMIT)
      return above_limit(kernel, "offset", d, range->offset[d]);
    if (range->offset[d] > LIMIT - range->size[d])
      return ka__fail(
          KA_ERROR_INVALID_RANGE,
          "kernel '%s': the range's offset plus extent along %c is %zu, above the limit "
          "of %zu",
          kernel->name, axis[d], range->offset[d] + range->size[d], LIMIT);
    if (range->size[d] == 0)
      *empty = true;
    overflow |= __builtin_mul_overflow(total, range->size[d], &total) || total > LIMIT;
  }
  if (overflow && !*empty)
    return ka__fail(KA_ERROR_INVALID_RANGE,
                    "kernel '%s': the range of %zu x %zu x %zu has more items than the limit of "
                    "%zu",
                    kernel->name, range->size[0], range->size[1], range->size[2], LIMIT);
  const size_t *group = range->group;
  if (group[0] == 0 && group[1] == 0 && group[2] == 0)
    return KA_OK;
  for (int d = 0; d < 3; d++)
    if (group[d] == 0)
      return ka__fail(KA_ERROR_INVALID_GROUP_SIZE,
                      "kernel '%s': the group size along %c is 0; give at least 1, or leave "
                      "ka_with_group out",
                      kernel->name, axis[d]);
  const uint32_t *fixed = kernel->record->group_size;
  if (fixed[0] && (group[0] != fixed[0] || group[1] != fixed[1] || group[2] != fixed[2]))
    return ka__fail(KA_ERROR_INVALID_GROUP_SIZE,
                    "kernel '%s' (%s:%u) has the static group size %u x %u x %u, but the launch "
                    "asks for %zu x %zu x %zu; leave ka_with_group out",
                    kernel->name, kernel->file, kernel->record->line, fixed[0], fixed[1], fixed[2],
                    group[0], group[1], group[2]);
  return KA_OK;
}

/* Items along one axis for a group of at most `most`: the range itself if it is that small, else
 * the largest divisor of the range that is not small and suits vector units, else `most`. */
static size_t choose_extent(size_t extent, size_t most) {
  enum { VECTOR = 16 };
  if (extent <= most)
    return extent;
  if (extent % VECTOR != 0)
    return most;
  for (size_t group = most / VECTOR * VECTOR; group >= VECTOR && group > most / 4; group -= VECTOR)
    if (extent % group == 0)
      return group;
  return most;
}

/* Items in a group when nobody asked for a number.
 *
 * Measured with saxpy on PoCL 6, 2 cores, 262144 floats, vectorised: groups of 16 take 170 us, 64:
 * 62, 128: 43, 256: 38, 512: 36.4, 1024: 36.0, 4096: 35.5; with ranges that no group divides the
 * order is the same. Over float and double, 64 to 1 Mi items, 1024 takes at most 1.03 times what
 * the best of 16 to 4096 takes, and 1.05 where it does not divide the range. So CPUs get 1024, and
 * not less than 128 where a small range is cut finer to give every core some groups. A kernel with
 * barriers keeps what each item has in hand across each barrier in memory, which should stay in the
 * nearest cache; it gets 256, and so do devices that are no CPU, where that many items hide latency
 * and more limit what runs side by side. */
static size_t preferred_size(const struct ka__kernel_view *kernel, const ka_ndrange *range,
                             const ka_device_properties *device) {
  enum { CPU = 1024, OTHER = 256, LEAST = 128, GROUPS_PER_UNIT = 4 };
  bool small = !device->is_cpu || (kernel->record->flags & KA_METADATA_BARRIER);
  size_t preferred = small ? OTHER : CPU;
  size_t units = device->compute_units ? device->compute_units : 1;
  size_t share = range->size[0] * range->size[1] * range->size[2] / (units * GROUPS_PER_UNIT);
  if (share < preferred)
    preferred = share;
  return preferred < LEAST ? LEAST : preferred;
}

static void choose_group(const struct ka__kernel_view *kernel, const ka_ndrange *range,
                         const ka_device_properties *device, size_t max_group_size,
                         size_t group[3]) {
  size_t left = preferred_size(kernel, range, device);
  if (left > max_group_size)
    left = max_group_size;
  /* Rows of items next to each other suit vector units and caches, so x is filled first. */
  for (int d = 0; d < 3; d++) {
    size_t most = left < device->max_group_extent[d] ? left : device->max_group_extent[d];
    group[d] = choose_extent(range->size[d], most ? most : 1);
    left /= group[d];
  }
}

ka_status ka__range_divide(const struct ka__kernel_view *kernel, const ka_ndrange *range,
                           const ka_device_properties *device, size_t max_group_size,
                           struct ka__grid *grid) {
  const uint32_t *fixed = kernel->record->group_size;
  if (max_group_size > device->max_group_size)
    max_group_size = device->max_group_size;
  for (int d = 0; d < 3; d++)
    grid->group[d] = fixed[0] ? fixed[d] : range->group[d];
  if (grid->group[0] == 0)
    choose_group(kernel, range, device, max_group_size, grid->group);

  size_t in_group = 1;
  for (int d = 0; d < 3; d++) {
    if (grid->group[d] > device->max_group_extent[d])
      return ka__fail(KA_ERROR_INVALID_GROUP_SIZE,
                      "kernel '%s': the group size along %c is %zu, above the %llu that device "
                      "'%s' allows",
                      kernel->name, axis[d], grid->group[d],
                      (unsigned long long)device->max_group_extent[d], device->name);
    if (__builtin_mul_overflow(in_group, grid->group[d], &in_group))
      in_group = SIZE_MAX;
  }
  if (in_group > max_group_size)
    return ka__fail(KA_ERROR_INVALID_GROUP_SIZE,
                    "kernel '%s': a group of %zu x %zu x %zu has %zu items, above the %zu that "
                    "device '%s' allows for this kernel",
                    kernel->name, grid->group[0], grid->group[1], grid->group[2], in_group,
                    max_group_size, device->name);

  grid->padded = false;
  grid->dimensions = 1;
  size_t total = 1;
  for (int d = 0; d < 3; d++) {
    size_t rest = range->size[d] % grid->group[d];
    grid->items[d] = range->size[d] + (rest ? grid->group[d] - rest : 0);
    grid->padded |= rest != 0;
    if (grid->items[d] > 1)
      grid->dimensions = (uint32_t)d + 1;
    if (__builtin_mul_overflow(total, grid->items[d], &total) || total > LIMIT)
      return ka__fail(
          KA_ERROR_INVALID_RANGE,
          "kernel '%s': the range of %zu x %zu x %zu in whole groups of %zu x %zu x %zu "
          "has more items than the limit of %zu",
          kernel->name, range->size[0], range->size[1], range->size[2], grid->group[0],
          grid->group[1], grid->group[2], LIMIT);
  }
  return KA_OK;
}

/* How many items along x one item of the device does, if any number will do: so many that each core
 * gets enough pieces to even out what the others do meanwhile (PoCL deals them out by 32 times the
 * number of cores), but no fewer than a group has. 0: rows are so short that whole groups of
 * another entry point are better, or more than drivers can count.
 *
 * Measured on PoCL 6, 2 cores: a stencil of 1024 x 1024 floats in groups of 64 x 4 takes 1.25 times
 * as long in pieces of 64 as in rows of 1024. 1 Mi floats of saxpy with an assertion take 0.5 ms in
 * groups; in rows of 1 they would take 12, in rows of 16 1.4, of 32 0.5, of 64 0.3. */
static size_t choose_part(const ka_ndrange *range, const struct ka__grid *grid,
                          const ka_device_properties *device) {
  enum { SHORTEST_ROW = 32, SHORTEST = 64, LONGEST = 1024, PIECES_PER_UNIT = 256 };
  size_t group = grid->group[0] * grid->group[1] * grid->group[2];
  size_t row = range->size[0], rows = range->size[1] * range->size[2];
  if (row < SHORTEST_ROW && row < group && rows > 1)
    return 0;
  size_t units = device->compute_units ? device->compute_units : 1;
  size_t part = row * rows / (units * PIECES_PER_UNIT);
  part = part < SHORTEST ? SHORTEST : part > LONGEST ? LONGEST : part;
  part = part < group ? group : part;
  part = part < row ? part : row;
  return rows <= UINT32_MAX / ((row - 1) / part + 1) ? part : 0;
}

bool ka__range_by_groups(const struct ka__built_kernel *built, const ka_ndrange *range,
                         const struct ka__grid *grid, struct ka__launch *launch,
                         struct ka_group_range *told) {
  if (!built->group.entry)
    return false;
  bool any = built->group.kernel->record->flags & KA_METADATA_ANY_GROUP;
  size_t part = any ? choose_part(range, grid, &built->device->properties) : grid->group[0];
  if (part == 0 || (grid->padded && !any))
    return false;
  *told = (struct ka_group_range){0};
  launch->range = told;
  launch->dimensions = 1;
  for (int d = 0; d < 3; d++) {
    told->extent[d] = range->size[d];
    told->offset[d] = range->offset[d];
    told->group[d] = grid->group[d];
    told->part[d] = d == 0 ? part : any ? 1 : grid->group[d];
    launch->items[d] = (range->size[d] - 1) / told->part[d] + 1;
    launch->group[d] = 1;
    launch->offset[d] = 0;
    if (launch->items[d] > 1)
      launch->dimensions = (uint32_t)d + 1;
  }
  return true;
}
