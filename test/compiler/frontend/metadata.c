// What the runtime is told of kernels and parameters.
// RUN: %ka-emit=metadata -std=c23 %s | FileCheck %s
// RUN: %ka-emit=metadata -std=c23 %s | FileCheck --check-prefix=SIZES %s
// RUN: %ka-emit=metadata -std=c23 %s | grep -v flags | grep -E 'name"|element' | \
// RUN:   FileCheck --check-prefix=ELEMENTS --implicit-check-not=element %s
#include <ka/ka.h>

typedef const double *vector;
enum colour { RED };
typedef float float4 __attribute__((ext_vector_type(4)));
struct params { int n; float scale[3]; };

// CHECK:      "name": "k",
// CHECK-NEXT: "symbol": "k",
// CHECK-NEXT: "file": "{{.*}}metadata.c",
// CHECK-NEXT: "line": [[# @LINE + 1]],
[[ka::kernel]] void k(float a, const float *restrict x, float *restrict y, vector v,
                      volatile int *counter, enum colour e, _Bool flag, unsigned long long u,
                      signed char c, float4 f4, struct params p, ka_local float *scratch,
                      const int m[static 3], void *, size_t n, double (*rows)[n],
                      double _Complex z, const int constant) {
  y[0] = a;
}
// CHECK-NEXT: "column": 21,
// The tuple is what C makes of a struct of these members.
// SIZES: "tuple_bytes": 160,
// SIZES: "tuple_align": 16,

// CHECK:      "name": "a",
// CHECK-NEXT: "type": "float",
// CHECK-NEXT: "kind": "scalar",
// CHECK-NEXT: "flags": [
// CHECK-NEXT: "floating"
// CHECK-NEXT: ],
// CHECK-NEXT: "offset": 0,
// CHECK-NEXT: "size": 4,
// CHECK-NEXT: "align": 4
// CHECK:      "name": "x",
// CHECK-NEXT: "type": "const float *restrict",
// CHECK-NEXT: "kind": "pointer",
// CHECK-NEXT: "flags": [
// CHECK-NEXT: "const",
// CHECK-NEXT: "restrict"
// CHECK-NEXT: ],
// CHECK-NEXT: "offset": 8,
// CHECK-NEXT: "size": 8,
// CHECK:      "name": "y",
// CHECK-NEXT: "type": "float *restrict",
// CHECK-NEXT: "kind": "pointer",
// CHECK-NEXT: "flags": [
// CHECK-NEXT: "restrict"
// CHECK-NEXT: ],
// CHECK-NEXT: "offset": 16,
// CHECK:      "name": "v",
// CHECK-NEXT: "type": "vector",
// CHECK-NEXT: "kind": "pointer",
// CHECK-NEXT: "flags": [
// CHECK-NEXT: "const"
// CHECK-NEXT: ],
// CHECK:      "name": "counter",
// CHECK-NEXT: "type": "volatile int *",
// CHECK-NEXT: "kind": "pointer",
// CHECK-NEXT: "flags": [
// CHECK-NEXT: "volatile"
// CHECK-NEXT: ],
// CHECK:      "name": "e",
// CHECK-NEXT: "type": "enum colour",
// CHECK-NEXT: "kind": "scalar",
// CHECK:      "name": "flag",
// CHECK-NEXT: "type": "bool",
// CHECK:      "size": 1,
// CHECK:      "name": "u",
// CHECK-NEXT: "type": "unsigned long long",
// CHECK-NEXT: "kind": "scalar",
// CHECK-NEXT: "flags": [],
// CHECK:      "name": "c",
// CHECK-NEXT: "type": "signed char",
// CHECK-NEXT: "kind": "scalar",
// CHECK-NEXT: "flags": [
// CHECK-NEXT: "signed"
// CHECK-NEXT: ],
// CHECK:      "name": "f4",
// CHECK:      "size": 16,
// CHECK-NEXT: "align": 16
// CHECK:      "name": "p",
// CHECK-NEXT: "type": "struct params",
// CHECK-NEXT: "kind": "aggregate",
// CHECK:      "size": 16,
// CHECK:      "name": "scratch",
// CHECK-NEXT: "type": "ka_local float *",
// CHECK-NEXT: "kind": "local",
// CHECK:      "name": "m",
// CHECK-NEXT: "type": "const int *",
// CHECK:      "name": "",
// CHECK-NEXT: "type": "void *",
// CHECK-NEXT: "kind": "pointer",
// CHECK:      "name": "rows",
// CHECK-NEXT: "type": "double (*)[n]",
// CHECK-NEXT: "kind": "pointer",
// CHECK:      "name": "z",
// CHECK-NEXT: "type": "_Complex double",
// CHECK-NEXT: "kind": "scalar",
// CHECK:      "size": 16,
// CHECK:      "name": "constant",
// CHECK-NEXT: "type": "int",

// What values, and what pointers lead to, are made of; nothing is said of variable arrays.
// ELEMENTS:      "name": "a"
// ELEMENTS-NEXT: "element": "float 4"
// ELEMENTS:      "name": "x"
// ELEMENTS-NEXT: "element": "float 4"
// ELEMENTS:      "name": "y"
// ELEMENTS-NEXT: "element": "float 4"
// ELEMENTS:      "name": "v"
// ELEMENTS-NEXT: "element": "float 8"
// ELEMENTS:      "name": "counter"
// ELEMENTS-NEXT: "element": "integer 4"
// ELEMENTS:      "name": "e"
// ELEMENTS-NEXT: "element": "integer 4"
// ELEMENTS:      "name": "flag"
// ELEMENTS-NEXT: "element": "bool 1"
// ELEMENTS:      "name": "u"
// ELEMENTS-NEXT: "element": "integer 8"
// ELEMENTS:      "name": "c"
// ELEMENTS-NEXT: "element": "integer 1"
// ELEMENTS:      "name": "f4"
// ELEMENTS-NEXT: "element": "vector 16"
// ELEMENTS:      "name": "p"
// ELEMENTS-NEXT: "element": "record 16"
// ELEMENTS:      "name": "scratch"
// ELEMENTS-NEXT: "element": "float 4"
// ELEMENTS:      "name": "m"
// ELEMENTS-NEXT: "element": "integer 4"
// ELEMENTS:      "name": ""
// ELEMENTS-NEXT: "element": "void"
// ELEMENTS:      "name": "n"
// ELEMENTS-NEXT: "element": "integer 8"
// ELEMENTS:      "name": "rows"
// ELEMENTS:      "name": "z"
// ELEMENTS-NEXT: "element": "complex 16"
// ELEMENTS:      "name": "constant"
// ELEMENTS-NEXT: "element": "integer 4"

// The compiler's own sizeof must agree with the metadata above.
struct tuple {
  float a; const float *x; float *y; vector v; volatile int *counter; enum colour e; _Bool flag;
  unsigned long long u; signed char c; float4 f4; struct params p; float *scratch; const int *m;
  void *p13; size_t n; void *rows; double _Complex z; int constant;
};
_Static_assert(sizeof(struct tuple) == 160 && _Alignof(struct tuple) == 16, "as in SIZES");

// Names of files follow -ffile-prefix-map.
// RUN: %ka-emit=metadata -std=c23 -ffile-prefix-map=%S=source %s | FileCheck --check-prefix=MAPPED %s
// MAPPED: "file": "source/metadata.c"
