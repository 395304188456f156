// Every kind of inline function can be called by kernels.
// RUN: %ka-emit=frontend-llvm -std=c17 -O0 %s | FileCheck %s
// RUN: %ka-emit=frontend-llvm -std=gnu89 -Wno-all %s | FileCheck %s
// RUN: %ka-cc -std=c17 -O0 -S -emit-llvm %s -o - | FileCheck --check-prefix=HOST %s
#include <ka/ka.h>
__inline int plain_inline(int x) { return x + 1; }
static __inline int static_inline(int x) { return x + 2; }
extern __inline int extern_inline(int x) { return x + 3; }
__attribute__((noinline)) __inline int noinline_inline(int x) { return x + 4; }
extern __inline __attribute__((gnu_inline, always_inline)) int gnu_inline(int x) { return x + 5; }
__attribute__((optnone, noinline)) static int optnone(int x) { return x + 6; }

// CHECK-DAG: define {{.*}}i32 @plain_inline(
// CHECK-DAG: define {{.*}}i32 @static_inline(
// CHECK-DAG: define {{.*}}i32 @extern_inline(
// CHECK-DAG: define {{.*}}i32 @noinline_inline(
// CHECK-DAG: define {{.*}}i32 @gnu_inline(
// CHECK-DAG: define {{.*}}i32 @optnone(
__attribute__((ka_kernel)) void k(int *p) {
  p[0] = plain_inline(p[1]) + static_inline(p[2]) + extern_inline(p[3]) + noinline_inline(p[4]) +
         gnu_inline(p[5]) + optnone(p[6]);
}

// The host's attributes are as before.
// HOST: define {{.*}}@host({{.*}} {
// HOST: declare i32 @noinline_inline(
int host(int x) { return noinline_inline(x); }
