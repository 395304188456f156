; Integers of odd widths in the next wider legal one; the results are LLVM's own.
; RUN: %opt -passes=ka-spirv-integers %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: not grep -E "\bi(3|4|11|24|37|48|56)\b" %t.ll
; RUN: lli %s
; RUN: lli %t.ll

@memory = global [8 x i8] c"\01\82\03\84\05\86\07\88"

; CHECK: define i32 @main
define i32 @main() {
entry:
  %a = load i24, ptr @memory
  %b = sext i24 %a to i32
  %ok1 = icmp eq i32 %b, 229889
  br i1 %ok1, label %two, label %bad
two:
  %p = getelementptr i8, ptr @memory, i64 1
  %c = load i56, ptr %p, align 1
  %d = ashr i56 %c, 40
  %e = trunc i56 %d to i32
  %ok2 = icmp eq i32 %e, -30713
  br i1 %ok2, label %three, label %bad
three:
  %f = load i8, ptr %p
  %g = trunc i8 %f to i3
  switch i3 %g, label %bad [ i3 1, label %bad
                             i3 2, label %four
                             i3 -1, label %bad ]
four:
  %h = phi i4 [ 7, %three ]
  %i = add i4 %h, 9
  %j = icmp slt i4 %i, 1
  br i1 %j, label %five, label %bad
five:
  %k = mul i37 137438953471, 3
  %v = load volatile i8, ptr @memory
  %w = zext i8 %v to i37
  %x = sub i37 0, %w
  %y = sdiv i37 %x, 1
  %z = sitofp i37 %y to double
  %ok5 = fcmp oeq double %z, -1.0
  br i1 %ok5, label %six, label %bad
six:
  store i24 -2, ptr @memory
  %l = load i32, ptr @memory
  %ok6 = icmp eq i32 %l, -2063597570
  br i1 %ok6, label %seven, label %bad
seven:
  %q = load <3 x i8>, ptr @memory, align 1
  %r = bitcast <3 x i8> %q to i24
  %s = lshr i24 %r, 1
  %t = select i1 %ok6, i24 %s, i24 0
  %u = icmp ugt i24 %t, 8388600
  br i1 %u, label %eight, label %bad
eight:
  %bool = alloca i1
  store i1 %u, ptr %bool
  %again = load i1, ptr %bool
  br i1 %again, label %good, label %bad
good:
  ret i32 0
bad:
  ret i32 1
}
