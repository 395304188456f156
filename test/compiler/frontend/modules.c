// Kernels in a module and in a precompiled header are those of the file that imports it.
// RUN: rm -rf %t.cache
// RUN: %ka-cc -std=c23 -fmodules -fmodules-cache-path=%t.cache -I %S/Inputs/modules -Xclang -verify -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s
// RUN: %ka-cc -std=c23 -fmodules -fmodules-cache-path=%t.cache -I %S/Inputs/modules -fsyntax-only -fplugin-arg-ka-emit=metadata %s | FileCheck --check-prefix=METADATA %s
// RUN: %ka-cc -std=c23 -x c-header %S/Inputs/modules/kernels.h -o %t.pch
// RUN: %ka-cc -std=c23 -include-pch %t.pch -I %S/Inputs/modules -DPRECOMPILED -Xclang -verify -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s
// expected-no-diagnostics
#ifndef PRECOMPILED
#include <kernels.h>
#endif
[[ka::kernel]] void own(int *p) { of_module(p); *p += from_module(2); }
ka_status launch(ka_backend *be, int *p) {
  ka_launch(be, ka_range(2), own(p));
  ka_launch(be, ka_range(1), of_module(p));
  return launch_of_module(be, p);
}
// CHECK-DAG: {{ [dr]}} ka.kernel.of_module
// CHECK-DAG: {{ [DR]}} ka.kernel.own
// METADATA: "name": "of_module"
// METADATA: "name": "own"
