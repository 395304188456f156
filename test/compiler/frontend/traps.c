// What a kernel may call to stop: the places, with their texts, in the metadata; and nothing at all
// where assertions are compiled away.
// RUN: %ka-emit=metadata %s | FileCheck %s
// RUN: %ka-emit=metadata -DNDEBUG -DNONE %s | FileCheck %s --check-prefix=NONE
// RUN: %ka-emit=llvm -DNDEBUG -DNONE %s | FileCheck %s --check-prefix=NONE-IR
// RUN: not %ka-emit=metadata -DTEXT %s 2>&1 | FileCheck %s --check-prefix=TEXT
#include <ka/ka.h>
#include <assert.h>
#include <stdlib.h>

// NONE: "name": "k"
// NONE-NOT: "mailbox"
// NONE-NOT: sites
// NONE-IR: define spir_kernel void @k(ptr addrspace(1) %p)
// NONE-IR-NOT: ka.mailbox

#ifndef NONE
static void stop(const char *text) {
  ka_trap(text);
}
static void helper(int *p) {
  // CHECK: "name": "k"
  // CHECK: "mailbox"
  // CHECK: "sites": [
  // CHECK: "kind": "assert",
  // CHECK-NEXT: "text": "p[1] == 1 && \"of \\\"course\\\"\"",
  // CHECK-NEXT: "file": "{{.*}}traps.c",
  // CHECK-NEXT: "line": [[#@LINE+2]],
  // CHECK-NEXT: "function": "helper"
  assert(p[1] == 1 && "of \"course\"");
}
#endif

[[ka::kernel]] void k(int *p) {
#ifndef NONE
  helper(p);
  // CHECK: "kind": "trap",
  // CHECK-NEXT: "text": "two ü",
  // CHECK-NEXT: "file": "{{.*}}traps.c",
  // CHECK-NEXT: "line": [[#@LINE+3]],
  // CHECK-NEXT: "function": "k"
  if (*p == 2)
    ka_trap("two \u00fc");
  // CHECK: "text": "three",
  // CHECK: "function": "stop"
  if (*p == 3)
    stop("three");
  // CHECK: "kind": "abort",
  // CHECK-NEXT: "text": "abort()",
  // CHECK: "line": [[#@LINE+2]],
  if (*p == 4)
    abort();
  // CHECK: "text": "__builtin_trap()",
  // CHECK: "line": [[#@LINE+2]],
  if (*p == 5)
    __builtin_trap();
#ifdef TEXT
  // TEXT: traps.c:[[#@LINE+1]]:{{.*}}error: the text of 'ka_trap' must be known when the kernel is compiled; pass a string literal
  ka_trap((const char *)p);
#endif
#endif
  assert(*p);
}
