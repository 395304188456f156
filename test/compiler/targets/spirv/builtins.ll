; ka's functions as OpenCL's; dimensions above 2 do not reach SPIR-V, which has none.
; RUN: %opt -passes=ka-spirv-builtins %s | FileCheck %s

; CHECK-LABEL: define i64 @fixed
; CHECK-NEXT: call i64 @_Z13get_global_idj(i32 0)
; CHECK-NEXT: call i64 @_Z14get_local_sizej(i32 2)
; CHECK-NEXT: call i64 @_Z17get_global_offsetj(i32 1)
; CHECK-NEXT: ret i64 1
define i64 @fixed() {
  %a = call i64 @ka_global_id(i32 0)
  %b = call i64 @ka_local_size(i32 2)
  %c = call i64 @ka_global_offset(i32 1)
  %d = call i64 @ka_num_groups(i32 7)
  ret i64 %d
}
; CHECK-LABEL: define i64 @chosen
; CHECK-COUNT-3: call i64 @_Z12get_group_idj
; CHECK: ret i64
define i64 @chosen(i32 %d) {
  %a = call i64 @ka_group_id(i32 %d)
  ret i64 %a
}
; CHECK-LABEL: define void @meet
; CHECK-NEXT: call void @_Z7barrierj(i32 3) #[[C:[0-9]+]]
; CHECK: attributes #[[C]] = { convergent }
define void @meet() {
  call void @ka_barrier()
  ret void
}
declare i64 @ka_global_id(i32)
declare i64 @ka_local_size(i32)
declare i64 @ka_global_offset(i32)
declare i64 @ka_num_groups(i32)
declare i64 @ka_group_id(i32)
declare void @ka_barrier()
