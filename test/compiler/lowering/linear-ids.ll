; Linear ids come from ids and sizes, x fastest; static group sizes are constants.
; RUN: %opt -passes=ka-linear-ids %s | FileCheck %s

; CHECK-LABEL: define i64 @linear
; CHECK: %[[Z:.*]] = call i64 @ka_global_id(i32 2)
; CHECK: %[[OZ:.*]] = call i64 @ka_global_offset(i32 2)
; CHECK: %[[DZ:.*]] = sub i64 %[[Z]], %[[OZ]]
; CHECK: %[[SY:.*]] = call i64 @ka_global_size(i32 1)
; CHECK: mul i64 %[[DZ]], %[[SY]]
define i64 @linear() {
  %a = call i64 @ka_global_linear_id()
  ret i64 %a
}

; CHECK-LABEL: define i64 @sized
; CHECK-NOT: ka_local_size
; CHECK: mul i64 %{{.*}}, 4
; CHECK: mul i64 %{{.*}}, 8
; CHECK: ret i64
define i64 @sized() !reqd_work_group_size !0 {
  %a = call i64 @ka_local_linear_id()
  ret i64 %a
}

; Along y and z the only item of a group has the group's id.
; CHECK-LABEL: define i64 @rows
; CHECK: call i64 @ka_global_id(i32 0)
; CHECK-NOT: ka_global_id
; CHECK-NOT: ka_local_id
; CHECK: call i64 @ka_group_id(i32 1)
; CHECK: call i64 @ka_global_offset(i32 1)
; CHECK-NOT: ka_local_id
; CHECK: ret i64
define i64 @rows() !reqd_work_group_size !1 {
  %a = call i64 @ka_global_id(i32 0)
  %b = call i64 @ka_global_id(i32 1)
  %c = call i64 @ka_local_id(i32 2)
  %d = add i64 %a, %b
  %e = add i64 %d, %c
  ret i64 %e
}
declare i64 @ka_global_id(i32)
declare i64 @ka_local_id(i32)
declare i64 @ka_global_linear_id()
declare i64 @ka_local_linear_id()
!0 = !{i32 8, i32 4, i32 2}
!1 = !{i32 64, i32 1, i32 1}
