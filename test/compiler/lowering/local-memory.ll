; Group memory in address space 3, a copy for each kernel that uses it.
; RUN: %opt -passes=ka-local-memory %s | FileCheck %s
; RUN: %opt -passes=ka-local-memory,ka-range-guard %s | FileCheck %s --check-prefix=GUARD

!ka.kernels = !{!0, !1}
!0 = !{!"k pointer:0:8:8"}
!1 = !{!"j pointer:0:8:8"}

@tile = internal global [16 x float] undef, section ".ka.local", align 16
@table = internal global [3 x i16] [i16 1, i16 2, i16 3], section ".ka.local.init", align 4

; CHECK-DAG: @k.tile = internal addrspace(3) global [16 x float] undef, align 16
; CHECK-DAG: @j.tile = internal addrspace(3) global [16 x float] undef, align 16
; CHECK-DAG: @table.initial = constant [3 x i16] [i16 1, i16 2, i16 3]
; CHECK-DAG: @k.table = internal addrspace(3) global [3 x i16] undef, align 4
; CHECK-NOT: section

; CHECK-LABEL: define void @k
; CHECK: getelementptr {{.*}}addrspacecast (ptr addrspace(3) @k.tile to ptr)
; The items together copy the initialiser, then meet.
; GUARD-DAG: @table.initial = internal constant
; GUARD-LABEL: define void @k(
; GUARD: %[[ITEM:.*]] = call i64 @ka_local_linear_id()
; GUARD: icmp ult i64 %[[ITEM]], 3
; GUARD: local.fill:
; GUARD: %[[V:.*]] = load i16, ptr %{{.*}}
; GUARD: store i16 %[[V]], ptr addrspace(3)
; GUARD: local.done:
; GUARD-NEXT: call void @ka_barrier()
; GUARD-LABEL: define void @j(
; GUARD-NOT: local.fill
; GUARD-LABEL: define void @k__ka_padded(
; GUARD: @k__ka_padded.table
define void @k(ptr %p) "ka-kernel" {
  %i = load i64, ptr %p
  %a = getelementptr [16 x float], ptr @tile, i64 0, i64 %i
  store float 0.0, ptr %a
  %t = getelementptr [3 x i16], ptr @table, i64 0, i64 %i
  store i16 0, ptr %t
  ret void
}
define void @j(ptr %p) "ka-kernel" {
  store float 1.0, ptr @tile
  ret void
}
