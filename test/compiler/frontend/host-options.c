// Objects come out of every way that clang can be asked for one.
// RUN: %ka-cc -std=c17 -O0 -g -c %s -o %t.o
// RUN: %ka-cc -std=c17 -O3 -g -gsplit-dwarf -c %s -o %t.o
// RUN: %ka-cc -std=c17 -fsanitize=address,undefined -g -c %s -o %t.o
// RUN: %ka-cc -std=c17 -fsanitize=thread -O1 -c %s -o %t.o
// RUN: %ka-cc -std=c17 --coverage -c %s -o %t.o
// RUN: %ka-cc -std=c17 -fprofile-instr-generate -fcoverage-mapping -c %s -o %t.o
// RUN: %ka-cc -std=c17 -finstrument-functions -fxray-instrument -c %s -o %t.o
// RUN: %ka-cc -std=c17 -fstack-protector-strong -ftrapv -D_FORTIFY_SOURCE=2 -O2 -c %s -o %t.o
// RUN: %ka-cc -std=c17 -fno-builtin -ffreestanding -c %s -o %t.o
// RUN: %ka-cc -std=c17 -fpack-struct -fshort-enums -funsigned-char -c %s -o %t.o
// RUN: %ka-cc -std=c17 -fopenmp -fms-extensions -c %s -o %t.o
// RUN: %ka-cc -std=c17 -flto -c %s -o %t.o
// RUN: %ka-cc -std=c17 -flto=thin -c %s -o %t.o
// RUN: %ka-cc -std=c17 -S %s -o %t.s
// RUN: %ka-cc -std=c17 -c -emit-llvm %s -o %t.bc
// RUN: %ka-cc -std=c17 -c %t.bc -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s
// RUN: %ka-cc -std=c17 -M %s -o %t.d
// RUN: %ka-cc -std=c17 -Xclang -ast-dump -fsyntax-only %s > %t.dump
// RUN: %ka-cc -std=c17 --analyze %s -o %t.plist
// RUN: not %ka-cc -std=c17 --target=i386-linux-gnu -ffreestanding -nostdlibinc -fsyntax-only %s 2>&1 | FileCheck --check-prefix=NARROW %s
// CHECK-DAG: D ka.kernel.k
// CHECK-DAG: ka.module.register
// NARROW: error: kernel 'k' needs a little-endian host with 64-bit pointers; 'i386-unknown-linux-gnu' is none
#include <ka/ka.h>
struct s { char c; double d; };
static inline float helper(const float *x, struct s s) { return x[0] * (float)s.d; }
__attribute__((ka_kernel)) void k(struct s s, const float *restrict x, float *restrict y, int n) {
  for (int i = 0; i < n; ++i)
    y[ka_global_id(0)] += helper(x, s);
}
ka_status run(ka_backend *be, const float *x, float *y) {
  struct s s = {1, 2};
  return ka_launch(be, ka_range(10), k(s, x, y, 3));
}
