// A pointer that shares its place with other members of a union is marked: it may be none.
// RUN: %ka-emit=metadata %s | FileCheck %s
#include <ka/kernel.h>

union either {
  int *p;
  double d;
};
struct mixed {
  float *always;
  union either either;
};

[[ka::kernel]] void k(struct mixed m) { m.always[0] = (float)m.either.d; }

// CHECK:      "path": "always"
// CHECK-NEXT: }
// CHECK:      "path": "either.p",
// CHECK-NEXT: "union": true
