// What becomes of printf: stores into the print buffer, and nothing where there is none.
// RUN: %ka-emit=llvm -std=c23 -O2 %s | FileCheck %s
// RUN: %ka-emit=metadata -std=c23 -O2 %s | FileCheck --check-prefix=METADATA %s
#include <ka/ka.h>
#include <stdio.h>
typedef _Float16 half2 __attribute__((ext_vector_type(2)));
static void show(const char *what, float x) { printf("%s: %f\n", what, x); }

// A kernel that does not print has no mailbox.
// CHECK-LABEL: define {{.*}}@silent(
// CHECK-NOT: mailbox
// CHECK: ret void
// METADATA: "silent"
// METADATA-NOT: "prints"
[[ka::kernel]] void silent(int *p) { p[ka_global_id(0)] = 1; }

// No double where C has made one of a float; the format and the literal are stored as they are ("%s: %f\n" and
// its tags, "item").
// CHECK-LABEL: define {{.*}}@prints_float(
// CHECK-SAME: ka.mailbox
// CHECK-NOT: double
// CHECK: atomicrmw add ptr addrspace(1) {{.*}} monotonic
// CHECK: store i64 2927059407631141,
// CHECK: store i64 26227,
// CHECK: store float
// CHECK: store i64 1835365481,
// CHECK: store atomic i32 {{.*}} release
// METADATA: "prints_float"
// METADATA: "mailbox",
// METADATA-NEXT: "prints"
[[ka::kernel]] void prints_float(float *x) { show("item", x[0]); }

// CHECK-LABEL: define {{.*}}@prints_half(
// CHECK-NOT: double
// CHECK: fpext half {{.*}} to float
// CHECK-NOT: double
// CHECK: ret void
[[ka::kernel]] void prints_half(half2 *x) { printf("%v2hf %g\n", x[0], (double)x[1].x); }
