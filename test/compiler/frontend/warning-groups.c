// Warnings of ka's own groups: their levels, and what -w and -Werror make of them.
// RUN: %ka-cc -std=c23 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WARN %s
// RUN: %ka-cc -std=c23 -fplugin-arg-ka-warn=divergent-barrier=ignored -c %s -o %t.o 2>&1 | count 0
// RUN: %ka-cc -std=c23 -w -c %s -o %t.o 2>&1 | count 0
// RUN: not %ka-cc -std=c23 -Werror -c %s -o %t.o 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: %ka-cc -std=c23 -w -Werror -c %s -o %t.o 2>&1 | count 0
// RUN: not %ka-cc -std=c23 -fplugin-arg-ka-warn=divergent-barrier=error -c %s -o %t.o 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: %ka-cc -std=c23 -Werror -fplugin-arg-ka-warn=divergent-barrier=warning -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WARN %s
#include <ka/ka.h>
[[ka::kernel, ka::unsafe_indices]] void k(float *x) {
  if (x[ka_global_id(0)] > 0)
    ka_barrier();
}
// WARN: warning-groups.c:12:5: warning: {{.*}}barrier{{.*}} [-Wka-divergent-barrier]
// WARN: warning-groups.c:11:{{.*}}: note:
// ERROR: warning-groups.c:12:5: error: {{.*}}barrier{{.*}} [-Werror,-Wka-divergent-barrier]

// A barrier that cannot be made right is an error, whatever is said of warnings.
// RUN: not %ka-cc -std=c23 -w -fplugin-arg-ka-warn=divergent-barrier=ignored -c %S/divergent-barrier.c -o %t.o 2>&1 | FileCheck --check-prefix=ALWAYS %s
// ALWAYS: divergent-barrier.c:7:3: error:
