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

// As many loops for many strings as for two: one finds the lengths, one copies; and none without strings.
// CHECK-LABEL: define {{.*}}@prints_strings(
// CHECK-COUNT-2: load i8,
// CHECK-NOT: load i8,
// CHECK: ret void
#define TEN(x) x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]
[[ka::kernel]] void prints_strings(char (*x)[4]) { printf("%s%s%s%s%s%s%s%s%s%s %s\n", TEN(x), "known"); }

// CHECK-LABEL: define {{.*}}@prints_integers(
// CHECK-NOT: load i8,
// CHECK-NOT: phi i64
// CHECK: ret void
[[ka::kernel]] void prints_integers(int *x) { printf("%d%d%d%d%d%d%d%d%d%d\n", TEN(x)); }

// A record for each format that may be chosen: "n %d\n" and "m %d\n", with the tag "i", as numbers.
// CHECK-LABEL: define {{.*}}@prints_chosen(
// CHECK-DAG: store i64 29554917184446574,
// CHECK-DAG: store i64 29554917184446573,
// CHECK: ret void
[[ka::kernel]] void prints_chosen(int x) { printf(x ? "n %d\n" : "m %d\n", x); }
