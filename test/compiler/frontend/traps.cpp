// The C++ library's own assertions are assertions of kernels too.
// RUN: %ka-emit=metadata -std=c++20 -D_GLIBCXX_ASSERTIONS %s | FileCheck %s
#include <ka/ka.h>
#include <array>

// CHECK: "sites": [
// CHECK: "kind": "assert",
// CHECK-NEXT: "text": "__n < this->size()",
// CHECK-NEXT: "file": "{{.*}}array",
// CHECK-NEXT: "line": {{[1-9][0-9]*}},
// CHECK-NEXT: "function": "operator[]"
[[ka::kernel]] void k(int *p) {
  std::array<int, 4> a = {1, 2, 3, 4};
  *p = a[*p];
}
