// Warnings of ka's own groups, as options set their levels: found in the source, and in device code.
// RUN: %ka-cc -std=c23 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WARN %s
// RUN: %ka-cc -std=c23 -fplugin-arg-ka-warn=ka-divergent-barrier=ignored -fplugin-arg-ka-warn=ka-unused-pointer=ignored -c %s -o %t.o 2>&1 | count 0
// RUN: not %ka-cc -std=c23 -fplugin-arg-ka-warn=ka-divergent-barrier=error -fplugin-arg-ka-warn=ka-unused-pointer=warning -c %s -o %t.o 2>&1 | FileCheck --check-prefix=ONE %s
// ONE: [[#@LINE+4]]:{{.*}} warning: {{.*}} [-Wka-unused-pointer]
// ONE: error: {{.*}}barrier{{.*}} [-Werror,-Wka-divergent-barrier]
#include <ka/ka.h>

[[ka::kernel, ka::unsafe_indices]] void k(float *x, float *unused) {
  if (x[ka_global_id(0)] > 0)
    ka_barrier();
}
// WARN: warning-groups.c:9:{{.*}} warning: {{.*}} [-Wka-unused-pointer]
// WARN-NOT: ka-double
// WARN: warning-groups.c:11:5: warning: {{.*}}barrier{{.*}} [-Wka-divergent-barrier]
// WARN: warning-groups.c:10:{{.*}} note:

[[ka::kernel]] void d(double *x) {
  *x *= 2;
}
// DOUBLE: warning-groups.c:19:{{.*}} warning: {{.*}} [-Wka-double]

// As clang does it for its groups: -Werror, and what takes a group out of it again, in either order.
// RUN: not %ka-cc -std=c23 -Werror -fsyntax-only %s 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not %ka-cc -std=c23 -Werror -fplugin-arg-ka-warn=ka-unused-pointer=warning -fsyntax-only %s 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not %ka-cc -std=c23 -fplugin-arg-ka-warn=ka-unused-pointer=error -fplugin-arg-ka-warn=ka-unused-pointer=warning -fsyntax-only %s 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not %ka-cc -std=c23 -fplugin-arg-ka-warn=ka-unused-pointer=ignored -fplugin-arg-ka-warn=ka-unused-pointer=error -fsyntax-only %s 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not %ka-cc -std=c23 -fplugin-arg-ka-warn=ka-unused-pointer=no-error -fplugin-arg-ka-warn=ka-unused-pointer=error -fsyntax-only %s 2>&1 | FileCheck --check-prefix=ERROR %s
// ERROR: warning-groups.c:9:{{.*}} error: {{.*}} [-Werror,-Wka-unused-pointer]
// RUN: %ka-cc -std=c23 -Werror -fplugin-arg-ka-warn=ka-unused-pointer=no-error -fsyntax-only %s 2>&1 | FileCheck --check-prefix=STAYS %s
// RUN: %ka-cc -std=c23 -fplugin-arg-ka-warn=ka-unused-pointer=error -fplugin-arg-ka-warn=ka-unused-pointer=no-error -fsyntax-only %s 2>&1 | FileCheck --check-prefix=STAYS %s
// STAYS: warning-groups.c:9:{{.*}} warning: {{.*}} [-Wka-unused-pointer]
// RUN: %ka-cc -std=c23 -fplugin-arg-ka-warn=ka-unused-pointer=error -fplugin-arg-ka-warn=ka-unused-pointer=ignored -fsyntax-only %s 2>&1 | count 0

// What is off by default: asked for, with all others, or with all that there is; not by -Wno-error=.
// RUN: %ka-cc -std=c23 -fplugin-arg-ka-warn=ka-double=warning -fsyntax-only %s 2>&1 | FileCheck --check-prefix=DOUBLE %s
// RUN: %ka-cc -std=c23 -fplugin-arg-ka-warn=ka=warning -fsyntax-only %s 2>&1 | FileCheck --check-prefix=DOUBLE %s
// RUN: %ka-cc -std=c23 -Weverything -fsyntax-only %s 2>&1 | FileCheck --check-prefix=DOUBLE %s
// RUN: %ka-cc -std=c23 -fplugin-arg-ka-warn=ka-double=no-error -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WARN %s
// RUN: %ka-cc -std=c23 -Weverything -fplugin-arg-ka-warn=ka=ignored -fsyntax-only %s 2>&1 | FileCheck --allow-empty --check-prefix=NONE %s
// RUN: %ka-cc -std=c23 -Weverything -fplugin-arg-ka-warn=everything=ignored -fsyntax-only %s 2>&1 | FileCheck --allow-empty --check-prefix=NONE %s
// NONE-NOT: Wka

// -w is stronger than all of them, but no error is a warning.
// RUN: %ka-cc -std=c23 -w -c %s -o %t.o 2>&1 | count 0
// RUN: %ka-cc -std=c23 -w -Werror -c %s -o %t.o 2>&1 | count 0
// RUN: %ka-cc -std=c23 -w -fplugin-arg-ka-warn=ka=error -c %s -o %t.o 2>&1 | count 0
// RUN: not %ka-cc -std=c23 -w -fplugin-arg-ka-warn=ka=ignored -c %S/divergent-barrier.c -o %t.o 2>&1 | FileCheck --check-prefix=ALWAYS %s
// ALWAYS: divergent-barrier.c:7:3: error:

// Headers of the system are not the user's to mend, unless he asks.
// RUN: echo '#include "warning-groups.c"' > %t.c
// RUN: %ka-cc -std=c23 -isystem %S -c %t.c -o %t.o 2>&1 | count 0
// RUN: %ka-cc -std=c23 -isystem %S -fplugin-arg-ka-warn=ka=error -c %t.c -o %t.o 2>&1 | count 0
// RUN: %ka-cc -std=c23 -isystem %S -Wsystem-headers -c %t.c -o %t.o 2>&1 | FileCheck --check-prefix=WARN %s
