// More items than 32 bits can count, in extents that are prime: some known items report themselves.
#include "check.h"

// Items whose linear number ends in `tail` bits of this pattern, and the last thousand.
enum { TAIL = 0xfffff, PATTERN = 12345 };

[[ka::kernel]] void report(unsigned long *hits, unsigned long *ids, size_t last) {
  size_t n = ka_global_linear_id();
  if ((n & TAIL) != PATTERN && n < last)
    return;
  __atomic_fetch_add(&hits[n < last ? 0 : 1], 1, __ATOMIC_RELAXED);
  // The ids of each dimension belong together.
  size_t other =
      (ka_global_id(2) * ka_global_size(1) + ka_global_id(1)) * ka_global_size(0) + ka_global_id(0);
  __atomic_fetch_add(&ids[other == n ? 0 : 1], 1, __ATOMIC_RELAXED);
}

static void check(ka_ndrange r) {
  size_t n = r.size[0] * r.size[1] * r.size[2], last = n - 1000;
  unsigned long *out = device_memory(4 * sizeof *out);
  KA_CHECK(ka_launch(backend(), r, report(out, out + 2, last)));
  KA_CHECK(ka_synchronize(backend()));
  unsigned long among = last / (TAIL + 1ul) + (last % (TAIL + 1ul) > PATTERN);
  unsigned long expected[4] = {among, 1000, among + 1000, 0};
  CHECK_SAME("large range", expected, out, 4);
  KA_CHECK(ka_free(out));
}

int main(void) {
  check(ka_range(1627, 1637, 1619));
  return check_result();
}
