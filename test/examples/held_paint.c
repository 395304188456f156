/* The server's painting for its tests: two radii are special.
 *
 * HELD: the device waits until the test lets it go. The test and the kernel share the file that
 * SERVER_GATE names: the kernel sets the first number when it runs, the test the second one.
 * FAILING: fails as libka does. */
#define paint paint_at_once
#include "../../docs/examples/server/paint.c"
#undef paint

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HELD = 31, FAILING = 32, GATE_BYTES = 4096 };

[[ka::kernel]] void hold(unsigned *gate) {
  __atomic_store_n(&gate[0], 1, __ATOMIC_RELEASE);
  while (!__atomic_load_n(&gate[1], __ATOMIC_ACQUIRE)) {
  }
}

static unsigned *map_gate(void) {
  const char *path = getenv("SERVER_GATE");
  int file = path ? open(path, O_RDWR) : -1;
  void *gate = mmap(NULL, GATE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file < 0 || gate == MAP_FAILED)
    abort();
  close(file);
  return gate;
}

ka_status paint(ka_backend *be, const unsigned char *in, unsigned char *out, int width, int height,
                int radius) {
  static unsigned *gate;
  if (radius == FAILING)
    return paint_at_once(NULL, in, out, width, height, radius);
  if (radius == HELD) {
    gate = gate ? gate : map_gate();
    ka_status status = ka_launch(be, ka_range(1), hold(gate));
    if (status != KA_OK)
      return status;
  }
  return paint_at_once(be, in, out, width, height, radius);
}
