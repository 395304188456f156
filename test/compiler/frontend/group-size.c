// Group sizes in every spelling and from every kind of constant; redeclarations add up.
// RUN: %ka-emit=metadata -std=c23 %s | FileCheck %s
#include <ka/ka.h>
enum { TILE = 16 };
constexpr int rows = 4;
#define DEPTH 2

// CHECK: "name": "one"
// CHECK:      "group_size": [
// CHECK-NEXT: 64,
// CHECK-NEXT: 1,
// CHECK-NEXT: 1
// CHECK-NEXT: ]
[[ka::kernel]] [[ka::group_size(64)]] void one(int *p) { *p = 1; }

// CHECK: "name": "two"
// CHECK:      "group_size": [
// CHECK-NEXT: 16,
// CHECK-NEXT: 4,
// CHECK-NEXT: 1
// CHECK-NEXT: ]
__attribute__((ka_kernel, ka_group_size(TILE, rows))) void two(int *p) { *p = 1; }

// CHECK: "name": "three"
// CHECK:      "group_size": [
// CHECK-NEXT: 8,
// CHECK-NEXT: 4,
// CHECK-NEXT: 2
// CHECK-NEXT: ]
[[ka::kernel]] [[ka::group_size(TILE / 2, rows, DEPTH)]] void three(int *p);
void three(int *p) { *p = 1; }

// CHECK: "name": "none"
// CHECK:      "group_size": [
// CHECK-NEXT: 0,
// CHECK-NEXT: 0,
// CHECK-NEXT: 0
// CHECK-NEXT: ]
[[ka::kernel]] void none(int *p) { *p = 1; }
