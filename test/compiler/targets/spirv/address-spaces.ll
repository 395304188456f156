; Every pointer gets a space of its own where that is known, and is generic where not.
; RUN: %opt -passes=ka-spirv-address-spaces %s | FileCheck %s

@direct = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@passed_on = internal constant [4 x i8] c"abc\00"
@pointers = internal constant [1 x ptr] [ptr @passed_on]
@k.tile = internal addrspace(3) global [4 x i32] undef

; CHECK-DAG: @direct = internal addrspace(2) constant [4 x i32]
; CHECK-DAG: @passed_on = internal addrspace(1) constant [4 x i8]
; CHECK-DAG: @pointers = internal addrspace(2) constant [1 x ptr addrspace(4)] [ptr addrspace(4) addrspacecast (ptr addrspace(1) @passed_on to ptr addrspace(4))]

; CHECK-LABEL: define void @k(ptr addrspace(1) noalias %p, ptr addrspace(3) %s, ptr byval({ [2 x i64] }) %a, i64 %i)
define void @k(ptr noalias %p, ptr addrspace(3) %s, ptr byval({ [2 x i64] }) %a, i64 %i) "ka-kernel" {
; CHECK: alloca [4 x i32]
  %mine = alloca [4 x i32]
; CHECK: getelementptr [4 x i32], ptr addrspace(2) @direct
  %t = getelementptr [4 x i32], ptr @direct, i64 0, i64 %i
; CHECK: load i32, ptr addrspace(2)
  %v = load i32, ptr %t
  %m = getelementptr [4 x i32], ptr %mine, i64 0, i64 %i
; CHECK: store i32 %v, ptr %
  store i32 %v, ptr %m
  %sg = addrspacecast ptr addrspace(3) %s to ptr
; CHECK: store i32 1, ptr addrspace(3) %s
  store i32 1, ptr %sg
; CHECK: store i32 2, ptr addrspace(3) @k.tile
  store i32 2, ptr addrspacecast (ptr addrspace(3) @k.tile to ptr)
; A pointer that the host put into a structure is global.
; CHECK: %q = load ptr addrspace(4), ptr %a
; CHECK: %[[Q:.*]] = addrspacecast ptr addrspace(4) %q to ptr addrspace(1)
; CHECK: store i32 3, ptr addrspace(1) %[[Q]]
  %q = load ptr, ptr %a
  store i32 3, ptr %q
; CHECK: call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %p, ptr %{{.*}}, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %mine, i64 16, i1 false)
  %c = icmp eq i64 %i, 0
; CHECK: %e = select i1 %c, ptr addrspace(4) %{{.*}}, ptr addrspace(4)
; CHECK: store i32 4, ptr addrspace(4) %e
  %e = select i1 %c, ptr %m, ptr %p
  store i32 4, ptr %e
; CHECK: icmp eq ptr addrspace(1) %{{.*}}, null
  %n = icmp eq ptr %p, null
  %z = zext i1 %n to i32
  store i32 %z, ptr %p
  %w = load ptr, ptr @pointers
  %x = load i8, ptr %w
  store i8 %x, ptr %p
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
