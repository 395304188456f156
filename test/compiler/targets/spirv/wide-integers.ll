; Integers of more than 64 bits as several of 64; the results are LLVM's own.
; RUN: %opt -passes=ka-spirv-arithmetic,ka-spirv-wide-integers %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: grep -v ^declare %t.ll | not grep -E "\bi(65|66|72|96|104|128|130|136|168)\b"
; RUN: lli %s
; RUN: lli %t.ll

@memory = global [24 x i8] c"\01\82\03\84\05\86\07\88\09\8a\0b\8c\0d\8e\0f\90\11\92\13\94\15\96\17\98"
@copy = global [24 x i8] zeroinitializer
@numbers = global [8 x i64] [i64 -1, i64 3, i64 -9223372036854775808, i64 81985529216486895,
                             i64 0, i64 70, i64 9223372036854775807, i64 37]

; CHECK: define i32 @main
define i32 @main() {
entry:
  ; a bit-field of a packed run of 21 bytes
  %a = load i168, ptr @memory, align 1
  %b = shl i168 %a, 61
  %c = ashr i168 %b, 139
  %d = trunc i168 %c to i32
  %ok1 = icmp eq i32 %d, -130666450
  br i1 %ok1, label %two, label %bad
two:
  ; storing it leaves its neighbours alone
  %e = and i168 %a, -36893488147419103217
  store i168 %e, ptr @copy, align 2
  %f = getelementptr i8, ptr @copy, i64 20
  %g = load i32, ptr %f, align 1
  %ok2 = icmp eq i32 %g, 21
  br i1 %ok2, label %three, label %bad
three:
  %h = getelementptr i64, ptr @copy, i64 1
  %i = load i64, ptr %h
  %ok3 = icmp eq i64 %i, -8066072218761983480
  br i1 %ok3, label %four, label %bad
four:
  ; signed comparison, sign extension, subtraction with a borrow
  %minus = load i64, ptr @numbers
  %three3 = getelementptr i64, ptr @numbers, i64 1
  %y = load i64, ptr %three3
  %j = sext i64 %minus to i72
  %k = zext i64 %y to i72
  %l = sub i72 %j, %k
  %m = icmp slt i72 %l, -3
  %n = icmp ult i72 %l, %k
  %o = icmp sge i72 %l, -4
  %p = xor i1 %m, %n
  %ok4 = and i1 %p, %o
  br i1 %ok4, label %five, label %bad
five:
  ; shifts by an amount that is not known
  %at = getelementptr i64, ptr @numbers, i64 5
  %seventy = load i64, ptr %at
  %wide = zext i64 %seventy to i136
  %q = load i136, ptr @memory, align 1
  %r = lshr i136 %q, %wide
  %s = shl i136 %r, %wide
  %t = xor i136 %s, %q
  %u = icmp ult i136 %t, 1180591620717411303424
  %v = ashr i136 %q, %wide
  %w = trunc i136 %v to i64
  %x = icmp eq i64 %w, 5062114392312655400
  %ok5 = and i1 %u, %x
  br i1 %ok5, label %six, label %bad
six:
  ; products, through a phi and a select
  %z = phi i128 [ 5, %five ]
  %aa = sext i64 %minus to i128
  %ab = select i1 %ok5, i128 %aa, i128 %z
  %ac = mul i128 %ab, 36893488147419103235
  %ad = add i128 %ac, 36893488147419103236
  %ok6 = icmp eq i128 %ad, 1
  br i1 %ok6, label %seven, label %bad
seven:
  ; overflow of mixed signs is computed in 65 bits
  %ae = zext i64 %minus to i65
  %af = sext i64 %minus to i65
  %ag = call { i65, i1 } @llvm.smul.with.overflow.i65(i65 %ae, i65 %af)
  %ah = extractvalue { i65, i1 } %ag, 1
  %ai = extractvalue { i65, i1 } %ag, 0
  %aj = trunc i65 %ai to i64
  %ak = icmp eq i64 %aj, 1
  %al = call { i65, i1 } @llvm.sadd.with.overflow.i65(i65 %ae, i65 %ae)
  %am = extractvalue { i65, i1 } %al, 1
  %an = xor i1 %ah, %am
  %ok7 = and i1 %an, %ak
  br i1 %ok7, label %eight, label %bad
eight:
  ; vectors
  %ao = load <3 x i32>, ptr @memory, align 1
  %ap = bitcast <3 x i32> %ao to i96
  %aq = lshr i96 %ap, 72
  %ar = trunc i96 %aq to i8
  %as = icmp eq i8 %ar, -118
  %au = bitcast i96 %ap to <6 x i16>
  %av = extractelement <6 x i16> %au, i32 5
  %aw = icmp eq i16 %av, -29685
  %ok8 = and i1 %as, %aw
  br i1 %ok8, label %good, label %bad
good:
  ret i32 0
bad:
  %step = phi i32 [1, %entry], [2, %two], [3, %three], [4, %four], [5, %five], [6, %six], [7, %seven], [8, %eight]
  ret i32 %step
}
declare { i65, i1 } @llvm.smul.with.overflow.i65(i65, i65)
declare { i65, i1 } @llvm.sadd.with.overflow.i65(i65, i65)
