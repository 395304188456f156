; Nothing of the host survives: attributes, linkage, flags, module-level assembly, aliases.
; RUN: %opt -passes=ka-prepare %s | FileCheck %s

target triple = "x86_64-pc-linux-gnu"
module asm "nop"

@llvm.used = appending global [1 x ptr] [ptr @helper], section "llvm.metadata"
@table = dso_local local_unnamed_addr constant i32 7, comdat
$table = comdat any
@tile = internal global [4 x i32] undef, section ".ka.local"
@other = weak alias void (), ptr @helper

; CHECK-NOT: module asm
; CHECK-NOT: llvm.used
; CHECK-DAG: @table = internal local_unnamed_addr constant i32 7
; CHECK-DAG: @tile = internal global [4 x i32] undef, section ".ka.local"
; CHECK-NOT: alias

; CHECK: define internal void @ka.entry.k(ptr %t) #[[FN:[0-9]+]]
; CHECK-NEXT: call void @helper.body()
; CHECK-NEXT: call void @helper.body()
; CHECK-NEXT: call void @ka_barrier() #[[BARRIER:[0-9]+]]
define dso_local void @ka.entry.k(ptr %t) #0 {
  call void @helper() #1
  tail call void @other()
  call void @ka_barrier()
  ret void
}

; CHECK: define internal void @helper.body() #[[FN]]
define weak_odr dso_local void @helper() #0 section "hot" comdat($table) {
  ret void
}

; CHECK: declare i64 @ka_global_id(i32) #[[QUERY:[0-9]+]]
declare i64 @ka_global_id(i32)
declare void @ka_barrier()

; The bits of 0 are counted, whatever C leaves open.
; CHECK-LABEL: define internal i32 @zeros.body
; CHECK: call i32 @llvm.ctlz.i32(i32 %x, i1 false)
; CHECK: call i32 @llvm.cttz.i32(i32 %x, i1 false)
define i32 @zeros(i32 %x) {
  %a = call i32 @llvm.ctlz.i32(i32 %x, i1 true)
  %b = call i32 @llvm.cttz.i32(i32 %x, i1 true)
  %c = add i32 %a, %b
  ret i32 %c
}
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.cttz.i32(i32, i1)
; CHECK: attributes #[[FN]] = { alwaysinline convergent nounwind }
; CHECK: attributes #[[QUERY]] = { nounwind speculatable willreturn memory(none) }
; CHECK: attributes #[[BARRIER]] = { convergent nomerge }
; CHECK: !llvm.module.flags = !{![[FLAG:[0-9]+]]}
; CHECK: ![[FLAG]] = !{i32 2, !"Debug Info Version", i32 3}
attributes #0 = { noinline optnone sspstrong uwtable "target-cpu"="znver4" "frame-pointer"="all" }
attributes #1 = { noinline "probe-stack"="inline-asm" }
!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}
!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 7, !"uwtable", i32 2}
!2 = !{!"clang"}
