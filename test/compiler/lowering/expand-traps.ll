; The first item to come describes its failure.
; RUN: %opt -passes=ka-expand-traps %s | FileCheck %s

declare void @ka.mailbox.fail(i32, ptr)

; CHECK-LABEL: define void @k
; CHECK-NEXT: %[[AT:.*]] = getelementptr inbounds i8, ptr %ka.mailbox, i64 0
; CHECK-NEXT: %[[FAILED:.*]] = cmpxchg ptr %[[AT]], i32 0, i32 1 monotonic monotonic
; CHECK-NEXT: %[[FIRST:.*]] = extractvalue { i32, i1 } %[[FAILED]], 1
; CHECK-NEXT: br i1 %[[FIRST]]
; CHECK: getelementptr inbounds i8, ptr %ka.mailbox, i64 4
; CHECK-NEXT: store i32 5,
; CHECK-NEXT: getelementptr inbounds i8, ptr %ka.mailbox, i64 8
; CHECK-NEXT: store i64 %ka.launch,
; CHECK: call i64 @ka_global_id(i32 2)
; CHECK-NEXT: getelementptr inbounds i8, ptr %ka.mailbox, i64 32
; CHECK: call i64 @ka_group_id(i32 2)
; CHECK-NEXT: getelementptr inbounds i8, ptr %ka.mailbox, i64 56
; CHECK-NOT: ka.mailbox.fail
; CHECK: ret void
define void @k(ptr "ka-mailbox" %ka.mailbox, i64 "ka-launch" %ka.launch) {
  call void @ka.mailbox.fail(i32 5, ptr null)
  ret void
}
