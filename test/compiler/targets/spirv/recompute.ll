; An address of an item's ids is worked out again behind each barrier, of ids that a device's
; compiler does not know to be the same.
; RUN: %opt -passes=ka-spirv-recompute,adce %s | FileCheck %s

declare void @ka_barrier()
declare i64 @ka_local_id(i32) readnone
declare i64 @ka_global_id(i32) readnone

; CHECK-LABEL: define void @straight(
; CHECK: icmp ugt i64 %{{.*}}, 281474976710657
; CHECK: %[[ZERO:.*]] = zext i1
; CHECK: %[[AT:.*]] = getelementptr i32, ptr %tile, i64 %l
; CHECK-NEXT: store i32 1, ptr %[[AT]]
; CHECK: call void @ka_barrier()
; CHECK-NEXT: %[[LOCAL:.*]] = call i64 @ka_local_id(i32 0)
; CHECK-NEXT: %[[ID:.*]] = add i64 %[[LOCAL]], %[[ZERO]]
; CHECK-NEXT: %[[AGAIN:.*]] = getelementptr i32, ptr %tile, i64 %[[ID]]
; CHECK-NEXT: load i32, ptr %[[AGAIN]]
; CHECK: ret void
define void @straight(ptr %tile, ptr %out) {
entry:
  %l = call i64 @ka_local_id(i32 0)
  %at = getelementptr i32, ptr %tile, i64 %l
  store i32 1, ptr %at
  call void @ka_barrier()
  %v = load i32, ptr %at
  store i32 %v, ptr %out
  ret void
}

; The id in the whole range is made of what the group shares and the id in the group; what the
; group shares is not worked out again, and what is used behind one barrier only stays there.
; CHECK-LABEL: define void @global(
; CHECK: call void @ka_barrier()
; CHECK: %[[LOCAL:.*]] = call i64 @ka_local_id(i32 1)
; CHECK-NEXT: %[[ID:.*]] = add i64 %[[LOCAL]], %{{.*}}
; CHECK-NEXT: %[[GROUP:.*]] = call i64 @ka_group_id(i32 1)
; CHECK-NEXT: %[[SIZE:.*]] = call i64 @ka_local_size(i32 1)
; CHECK-NEXT: %[[FIRST:.*]] = mul i64 %[[GROUP]], %[[SIZE]]
; CHECK-NEXT: %[[OFFSET:.*]] = call i64 @ka_global_offset(i32 1)
; CHECK-NEXT: %[[START:.*]] = add i64 %[[FIRST]], %[[OFFSET]]
; CHECK-NEXT: %[[I:.*]] = add i64 %[[ID]], %[[START]]
; CHECK-NEXT: %shared = mul i64 %n, 3
; CHECK-NEXT: %[[AT:.*]] = add i64 %[[I]], %shared
; CHECK-NEXT: %[[P:.*]] = getelementptr i32, ptr %out, i64 %[[AT]]
; CHECK-NEXT: store i32 1, ptr %[[P]]
define void @global(ptr %out, i64 %n) {
entry:
  %i = call i64 @ka_global_id(i32 1)
  call void @ka_barrier()
  %shared = mul i64 %n, 3
  %at = add i64 %i, %shared
  %p = getelementptr i32, ptr %out, i64 %at
  store i32 1, ptr %p
  ret void
}

; What comes out of memory is not worked out again.
; CHECK-LABEL: define void @loaded(
; CHECK: call void @ka_barrier()
; CHECK-NEXT: store i32 1, ptr %p
define void @loaded(ptr %out) {
entry:
  %l = call i64 @ka_local_id(i32 0)
  %q = getelementptr i64, ptr %out, i64 %l
  %x = load i64, ptr %q
  %p = getelementptr i32, ptr %out, i64 %x
  call void @ka_barrier()
  store i32 1, ptr %p
  ret void
}

; Through a phi, and behind a branch.
; CHECK-LABEL: define void @chosen(
; CHECK: call void @ka_barrier()
; CHECK: %[[AGAIN:.*]] = getelementptr i32, ptr %tile, i64
; CHECK: phi ptr [ %[[AGAIN]], %entry ], [ %tile, %then ]
define void @chosen(ptr %tile, i1 %c) {
entry:
  %l = call i64 @ka_local_id(i32 0)
  %at = getelementptr i32, ptr %tile, i64 %l
  store i32 1, ptr %at
  call void @ka_barrier()
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %p = phi ptr [ %at, %entry ], [ %tile, %then ]
  store i32 2, ptr %p
  ret void
}
