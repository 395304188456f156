; The metadata, as people read it and as it is in the bundle.
; RUN: %ka-lower --emit=metadata %s | FileCheck %s
; RUN: %ka-lower --emit=bundle %s -o %t.bundle
; RUN: llvm-strings %t.bundle | FileCheck %s --check-prefix=STRINGS

; CHECK: "version": 2,
; CHECK: "name": "k",
; CHECK: "symbol": "k",
; CHECK: "flags": [
; CHECK-NEXT: "padded"
; CHECK: "group_size": [
; CHECK-NEXT: 8,
; CHECK-NEXT: 1,
; CHECK-NEXT: 1
; CHECK: "tuple_bytes": 40,
; CHECK-NEXT: "tuple_align": 8,
; CHECK: "kind": "scalar",
; CHECK-NEXT: "flags": [
; CHECK-NEXT: "floating"
; CHECK: "offset": 0,
; CHECK-NEXT: "size": 4,
; CHECK-NEXT: "align": 4
; CHECK: "kind": "aggregate"
; CHECK: "pointers": [
; CHECK: "offset": 8,
; CHECK-NEXT: "path": "field"
; CHECK: "kind": "local"

; STRINGS: ka.content
; STRINGS: metadata
; STRINGS: KAM1
; STRINGS: spirv
; STRINGS: spirv64-unknown-unknown

!ka.kernels = !{!0}
!0 = !{!"k scalar:0:4:4:float aggregate:8:24:8:ptr@8 local:32:8:8 group:8,1,1"}
define void @ka.entry.k(ptr %t) {
  ret void
}
