// A file without kernels is what clang makes of it, with or without ka's headers.
// RUN: %ka-cc -std=c17 -O1 -S -emit-llvm %s -o %t.with
// RUN: clang -D__KA__=1 -isystem %S/../../../include -std=c17 -O1 -S -emit-llvm %s -o %t.without
// RUN: diff %t.with %t.without
// RUN: FileCheck %s < %t.with
// RUN: not %ka-emit=spirv -std=c17 %s 2>&1 | FileCheck --check-prefix=EMIT %s
#include <ka/ka.h>
#include <stdio.h>
// CHECK-NOT: ka.module
// EMIT: error: nothing to emit: '{{.*}}no-kernels.c' defines no kernel
int main(void) { return printf("%d\n", ka_num_devices(0)); }
