// Pointers inside aggregates, with their paths and offsets.
// RUN: %ka-emit=metadata -std=c23 %s | FileCheck %s
#include <ka/ka.h>

struct node { char tag; float *data; };
struct all {
  int n;
  int *first;
  struct node nodes[2];
  const void *table[2][2];
  union { double *as_double; long as_long; int *as_int; } u;
  struct { int pad; char *anonymous; };
  void (*callback)(int);
  unsigned bits : 3;
  struct node *next;
};

// CHECK: "kind": "aggregate",
// CHECK: "pointers": [
// CHECK: "offset": 8,
// CHECK-NEXT: "path": "first"
// CHECK: "offset": 24,
// CHECK-NEXT: "path": "nodes[0].data"
// CHECK: "offset": 40,
// CHECK-NEXT: "path": "nodes[1].data"
// CHECK: "offset": 48,
// CHECK-NEXT: "path": "table[0][0]"
// CHECK: "offset": 56,
// CHECK-NEXT: "path": "table[0][1]"
// CHECK: "offset": 64,
// CHECK-NEXT: "path": "table[1][0]"
// CHECK: "offset": 72,
// CHECK-NEXT: "path": "table[1][1]"
// CHECK: "offset": 80,
// CHECK-NEXT: "path": "u.as_double"
// CHECK: "offset": 80,
// CHECK-NEXT: "path": "u.as_int"
// CHECK: "offset": 96,
// CHECK-NEXT: "path": "anonymous"
// CHECK-NOT: callback
// CHECK: "offset": 120,
// CHECK-NEXT: "path": "next"
[[ka::kernel]] void k(int x, struct all a) { a.first[0] = x; }
_Static_assert(__builtin_offsetof(struct all, nodes[1].data) == 40, "");
_Static_assert(__builtin_offsetof(struct all, u) == 80, "");
_Static_assert(__builtin_offsetof(struct all, anonymous) == 96, "");
_Static_assert(__builtin_offsetof(struct all, next) == 120, "");
