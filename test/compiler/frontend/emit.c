// Every product, to standard output and to a file.
// RUN: %ka-emit=spirv -fplugin-arg-ka-output=%t.spv -std=c23 %s
// RUN: %ka-emit=spirv -std=c23 %s | cmp - %t.spv
// RUN: spirv-val --target-env opencl2.1 %t.spv
// RUN: spirv-dis --no-color %t.spv -o %t.dis
// RUN: %ka-emit=spirv-text -std=c23 %s | grep -v '^ *;' > %t.text
// RUN: grep -v '^ *;' %t.dis | diff - %t.text
// RUN: FileCheck --check-prefix=TEXT %s < %t.text
// RUN: %ka-emit=llvm -std=c23 %s | FileCheck --check-prefix=LLVM %s
// RUN: %ka-emit=bundle -fplugin-arg-ka-output=%t.bundle -std=c23 %s
// RUN: head -c 4 %t.bundle | od -An -tx1 | FileCheck --check-prefix=BUNDLE %s
// RUN: %ka-emit=metadata -std=c23 %s | FileCheck --check-prefix=METADATA %s
#include <ka/ka.h>
[[ka::kernel]] void k(float *x) { x[ka_global_id(0)] = 1; }
// TEXT: OpEntryPoint Kernel %{{.*}} "k"
// LLVM: target triple = "spir64
// LLVM: define spir_kernel void @k(
// BUNDLE: 10 ff 10 ad
// METADATA: "name": "k"
