; Forms that optimisers leave behind and that translators to SPIR-V have stumbled over.
; RUN: %ka-lower --emit=image --kernel="k pointer:0:8:8 scalar:8:4:4:signed scalar:12:1:1" %s -o %t.spv
; RUN: %spirv-val %t.spv
; RUN: %spirv-dis %t.spv | FileCheck %s

@table = internal constant [3 x i32] [i32 4, i32 5, i32 6]
%flexible = type { i32, [0 x i32] }

; CHECK: OpEntryPoint Kernel %{{.*}} "k"
; CHECK: OpSwitch
; CHECK: OpPhi
define void @ka.entry.k(ptr %t) {
entry:
  %p = load ptr, ptr %t
  %n.at = getelementptr i8, ptr %t, i64 8
  %n = load i32, ptr %n.at
  %b.at = getelementptr i8, ptr %t, i64 12
  %b.byte = load i8, ptr %b.at
  %b = trunc i8 %b.byte to i1
  ; Two edges from one block to another.
  switch i32 %n, label %other [ i32 1, label %same
                                i32 2, label %same
                                i32 3, label %same ]
other:
  ; A constant expression as the value of a phi, and as an operand.
  %big = icmp sgt i32 %n, 10
  br i1 %big, label %same, label %last
same:
  %from = phi i64 [ 7, %entry ], [ 7, %entry ], [ 7, %entry ], [ ptrtoint (ptr getelementptr inbounds (i8, ptr @table, i64 4) to i64), %other ]
  %at = phi ptr [ @table, %entry ], [ @table, %entry ], [ @table, %entry ], [ getelementptr inbounds ([3 x i32], ptr @table, i64 0, i64 2), %other ]
  %element = load i32, ptr %at
  %low = trunc i64 %from to i32
  %sum = add i32 %element, %low
  br label %last
last:
  %v = phi i32 [ %sum, %same ], [ 0, %other ]
  ; Arithmetic of one bit.
  %one = xor i1 %b, true
  %left = shl i1 %b, false
  %right = lshr i1 %one, false
  %product = mul i1 %left, %right
  %either = or i1 %product, %b
  %both = and i1 %either, %one
  %less = icmp ult i1 %both, %either
  %chosen = select i1 %less, i1 %left, i1 %right
  %wide = zext i1 %chosen to i64
  %signed = sext i1 %either to i16
  %float = uitofp i1 %less to float
  %negative = sitofp i1 %b to double
  ; Widths that no type has.
  %three = trunc i32 %n to i3
  %next = add i3 %three, 3
  %forty = zext i3 %next to i48
  %shifted = shl i48 %forty, 40
  %back = lshr i48 %shifted, 37
  %sixty = trunc i48 %back to i32
  ; Through an array without elements, and one of none on the stack.
  %none = alloca [0 x i32]
  %inner = getelementptr inbounds %flexible, ptr %p, i64 0, i32 1, i64 3
  store i32 %v, ptr %inner
  %same.place = icmp eq ptr %none, %inner
  %e0 = zext i1 %same.place to i32
  ; An exchange whose result is used whole, and one that is not.
  %pair = cmpxchg ptr %p, i32 %v, i32 %sixty seq_cst monotonic
  %old = extractvalue { i32, i1 } %pair, 0
  %ok = extractvalue { i32, i1 } %pair, 1
  %unused = cmpxchg weak ptr %inner, i32 0, i32 1 monotonic monotonic
  %ok.wide = zext i1 %ok to i32
  %a0 = add i32 %old, %ok.wide
  %a1 = add i32 %a0, %e0
  %f0 = fptosi float %float to i32
  %d0 = fptosi double %negative to i32
  %a2 = add i32 %a1, %f0
  %a3 = add i32 %a2, %d0
  %w0 = trunc i64 %wide to i32
  %s0 = sext i16 %signed to i32
  %a4 = add i32 %a3, %w0
  %a5 = add i32 %a4, %s0
  %frozen = freeze i32 %a5
  %p5 = getelementptr i8, ptr %p, i64 5
  store i32 %frozen, ptr %p5, align 1
  ret void
}
