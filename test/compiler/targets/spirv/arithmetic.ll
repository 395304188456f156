; No intrinsic is left; the results are those of LLVM's own interpreter.
; RUN: %opt -passes=ka-spirv-arithmetic %s -o %t.ll
; RUN: FileCheck %s < %t.ll --implicit-check-not="call {{.*}}@llvm."
; RUN: lli %t.ll

; CHECK: define i32 @main
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.smax.i32(i32, i32)
declare i8 @llvm.umin.i8(i8, i8)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i24 @llvm.fshl.i24(i24, i24, i24)
declare i32 @llvm.bswap.i32(i32)
declare i16 @llvm.bitreverse.i16(i16)
declare i64 @llvm.ctpop.i64(i64)
declare i32 @llvm.cttz.i32(i32, i1)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare {i64, i1} @llvm.umul.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
declare {i32, i1} @llvm.ssub.with.overflow.i32(i32, i32)
declare i8 @llvm.scmp.i8.i32(i32, i32)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare float @llvm.fabs.f32(float)
declare float @llvm.copysign.f32(float, float)
declare double @llvm.floor.f64(double)
declare double @llvm.round.f64(double)
declare double @llvm.rint.f64(double)
declare float @llvm.trunc.f32(float)
declare float @llvm.ceil.f32(float)
declare double @llvm.minnum.f64(double, double)
declare double @llvm.maximum.f64(double, double)
declare i1 @llvm.is.fpclass.f64(double, i32)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i8 @llvm.fptoui.sat.i8.f32(float)
declare float @llvm.fmuladd.f32(float, float, float)
; Each case loads its operand, so that nothing folds, and is compared bit by bit.
define i32 @main() {
  %a1.0 = alloca i32
  store volatile i32 -5, ptr %a1.0
  %x1.0 = load volatile i32, ptr %a1.0
  %r1 = call i32 @llvm.abs.i32(i32 %x1.0, i1 false)
  %ok1 = icmp eq i32 %r1, 5
  br i1 %ok1, label %next1, label %bad1
bad1:
  ret i32 1
next1:
  %a2.0 = alloca i32
  store volatile i32 -2147483648, ptr %a2.0
  %x2.0 = load volatile i32, ptr %a2.0
  %r2 = call i32 @llvm.abs.i32(i32 %x2.0, i1 false)
  %ok2 = icmp eq i32 %r2, -2147483648
  br i1 %ok2, label %next2, label %bad2
bad2:
  ret i32 2
next2:
  %a3.0 = alloca i32
  store volatile i32 -7, ptr %a3.0
  %x3.0 = load volatile i32, ptr %a3.0
  %r3 = call i32 @llvm.smax.i32(i32 %x3.0, i32 3)
  %ok3 = icmp eq i32 %r3, 3
  br i1 %ok3, label %next3, label %bad3
bad3:
  ret i32 3
next3:
  %a4.0 = alloca i8
  store volatile i8 -7, ptr %a4.0
  %x4.0 = load volatile i8, ptr %a4.0
  %r4 = call i8 @llvm.umin.i8(i8 %x4.0, i8 3)
  %ok4 = icmp eq i8 %r4, 3
  br i1 %ok4, label %next4, label %bad4
bad4:
  ret i32 4
next4:
  %a5.0 = alloca i32
  store volatile i32 1, ptr %a5.0
  %x5.0 = load volatile i32, ptr %a5.0
  %a5.1 = alloca i32
  store volatile i32 4, ptr %a5.1
  %x5.1 = load volatile i32, ptr %a5.1
  %r5 = call i32 @llvm.fshl.i32(i32 %x5.0, i32 -1, i32 %x5.1)
  %ok5 = icmp eq i32 %r5, 31
  br i1 %ok5, label %next5, label %bad5
bad5:
  ret i32 5
next5:
  %a6.0 = alloca i32
  store volatile i32 1, ptr %a6.0
  %x6.0 = load volatile i32, ptr %a6.0
  %a6.1 = alloca i32
  store volatile i32 32, ptr %a6.1
  %x6.1 = load volatile i32, ptr %a6.1
  %r6 = call i32 @llvm.fshl.i32(i32 %x6.0, i32 -1, i32 %x6.1)
  %ok6 = icmp eq i32 %r6, 1
  br i1 %ok6, label %next6, label %bad6
bad6:
  ret i32 6
next6:
  %a7.0 = alloca i64
  store volatile i64 256, ptr %a7.0
  %x7.0 = load volatile i64, ptr %a7.0
  %a7.1 = alloca i64
  store volatile i64 4, ptr %a7.1
  %x7.1 = load volatile i64, ptr %a7.1
  %r7 = call i64 @llvm.fshr.i64(i64 1, i64 %x7.0, i64 %x7.1)
  %ok7 = icmp eq i64 %r7, 1152921504606846992
  br i1 %ok7, label %next7, label %bad7
bad7:
  ret i32 7
next7:
  %a8.0 = alloca i64
  store volatile i64 256, ptr %a8.0
  %x8.0 = load volatile i64, ptr %a8.0
  %a8.1 = alloca i64
  store volatile i64 64, ptr %a8.1
  %x8.1 = load volatile i64, ptr %a8.1
  %r8 = call i64 @llvm.fshr.i64(i64 1, i64 %x8.0, i64 %x8.1)
  %ok8 = icmp eq i64 %r8, 256
  br i1 %ok8, label %next8, label %bad8
bad8:
  ret i32 8
next8:
  %a9.0 = alloca i24
  store volatile i24 1, ptr %a9.0
  %x9.0 = load volatile i24, ptr %a9.0
  %a9.1 = alloca i24
  store volatile i24 25, ptr %a9.1
  %x9.1 = load volatile i24, ptr %a9.1
  %r9 = call i24 @llvm.fshl.i24(i24 %x9.0, i24 %x9.0, i24 %x9.1)
  %ok9 = icmp eq i24 %r9, 2
  br i1 %ok9, label %next9, label %bad9
bad9:
  ret i32 9
next9:
  %a10.0 = alloca i32
  store volatile i32 305419896, ptr %a10.0
  %x10.0 = load volatile i32, ptr %a10.0
  %r10 = call i32 @llvm.bswap.i32(i32 %x10.0)
  %ok10 = icmp eq i32 %r10, 2018915346
  br i1 %ok10, label %next10, label %bad10
bad10:
  ret i32 10
next10:
  %a11.0 = alloca i16
  store volatile i16 3, ptr %a11.0
  %x11.0 = load volatile i16, ptr %a11.0
  %r11 = call i16 @llvm.bitreverse.i16(i16 %x11.0)
  %ok11 = icmp eq i16 %r11, -16384
  br i1 %ok11, label %next11, label %bad11
bad11:
  ret i32 11
next11:
  %a12.0 = alloca i64
  store volatile i64 -2, ptr %a12.0
  %x12.0 = load volatile i64, ptr %a12.0
  %r12 = call i64 @llvm.ctpop.i64(i64 %x12.0)
  %ok12 = icmp eq i64 %r12, 63
  br i1 %ok12, label %next12, label %bad12
bad12:
  ret i32 12
next12:
  %a13.0 = alloca i32
  store volatile i32 0, ptr %a13.0
  %x13.0 = load volatile i32, ptr %a13.0
  %r13 = call i32 @llvm.cttz.i32(i32 %x13.0, i1 false)
  %ok13 = icmp eq i32 %r13, 32
  br i1 %ok13, label %next13, label %bad13
bad13:
  ret i32 13
next13:
  %a14.0 = alloca i32
  store volatile i32 40, ptr %a14.0
  %x14.0 = load volatile i32, ptr %a14.0
  %r14 = call i32 @llvm.cttz.i32(i32 %x14.0, i1 false)
  %ok14 = icmp eq i32 %r14, 3
  br i1 %ok14, label %next14, label %bad14
bad14:
  ret i32 14
next14:
  %a15.0 = alloca i8
  store volatile i8 100, ptr %a15.0
  %x15.0 = load volatile i8, ptr %a15.0
  %r15 = call i8 @llvm.sadd.sat.i8(i8 %x15.0, i8 100)
  %ok15 = icmp eq i8 %r15, 127
  br i1 %ok15, label %next15, label %bad15
bad15:
  ret i32 15
next15:
  %a16.0 = alloca i8
  store volatile i8 -100, ptr %a16.0
  %x16.0 = load volatile i8, ptr %a16.0
  %r16 = call i8 @llvm.sadd.sat.i8(i8 %x16.0, i8 -100)
  %ok16 = icmp eq i8 %r16, -128
  br i1 %ok16, label %next16, label %bad16
bad16:
  ret i32 16
next16:
  %a17.0 = alloca i8
  store volatile i8 99, ptr %a17.0
  %x17.0 = load volatile i8, ptr %a17.0
  %r17 = call i8 @llvm.usub.sat.i8(i8 %x17.0, i8 100)
  %ok17 = icmp eq i8 %r17, 0
  br i1 %ok17, label %next17, label %bad17
bad17:
  ret i32 17
next17:
  %a18.0 = alloca i32
  store volatile i32 -4, ptr %a18.0
  %x18.0 = load volatile i32, ptr %a18.0
  %r18 = call i8 @llvm.scmp.i8.i32(i32 %x18.0, i32 4)
  %ok18 = icmp eq i8 %r18, -1
  br i1 %ok18, label %next18, label %bad18
bad18:
  ret i32 18
next18:
  %a19.0 = alloca i32
  store volatile i32 1, ptr %a19.0
  %x19.0 = load volatile i32, ptr %a19.0
  %v19 = insertelement <4 x i32> <i32 0, i32 2, i32 3, i32 4>, i32 %x19.0, i32 0
  %r19 = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v19)
  %ok19 = icmp eq i32 %r19, 10
  br i1 %ok19, label %next19, label %bad19
bad19:
  ret i32 19
next19:
  %a20.0 = alloca float
  store volatile float -2.5, ptr %a20.0
  %x20.0 = load volatile float, ptr %a20.0
  %r20 = call float @llvm.fabs.f32(float %x20.0)
  %b20 = bitcast float %r20 to i32
  %ok20 = icmp eq i32 %b20, 1075838976 ; 2.5
  br i1 %ok20, label %next20, label %bad20
bad20:
  ret i32 20
next20:
  %a21.0 = alloca float
  store volatile float 2.5, ptr %a21.0
  %x21.0 = load volatile float, ptr %a21.0
  %r21 = call float @llvm.copysign.f32(float %x21.0, float -1.0)
  %b21 = bitcast float %r21 to i32
  %ok21 = icmp eq i32 %b21, -1071644672 ; -2.5
  br i1 %ok21, label %next21, label %bad21
bad21:
  ret i32 21
next21:
  %a22.0 = alloca double
  store volatile double -0.5, ptr %a22.0
  %x22.0 = load volatile double, ptr %a22.0
  %r22 = call double @llvm.floor.f64(double %x22.0)
  %b22 = bitcast double %r22 to i64
  %ok22 = icmp eq i64 %b22, -4616189618054758400 ; -1.0
  br i1 %ok22, label %next22, label %bad22
bad22:
  ret i32 22
next22:
  %a23.0 = alloca double
  store volatile double 2251799813685249.5, ptr %a23.0
  %x23.0 = load volatile double, ptr %a23.0
  %r23 = call double @llvm.floor.f64(double %x23.0)
  %b23 = bitcast double %r23 to i64
  %ok23 = icmp eq i64 %b23, 4836865999795912706 ; 2251799813685249.0
  br i1 %ok23, label %next23, label %bad23
bad23:
  ret i32 23
next23:
  %a24.0 = alloca double
  store volatile double 0x3FDFFFFFFFFFFFFF, ptr %a24.0
  %x24.0 = load volatile double, ptr %a24.0
  %r24 = call double @llvm.round.f64(double %x24.0)
  %b24 = bitcast double %r24 to i64
  %ok24 = icmp eq i64 %b24, 0 ; 0.0
  br i1 %ok24, label %next24, label %bad24
bad24:
  ret i32 24
next24:
  %a25.0 = alloca double
  store volatile double -2.5, ptr %a25.0
  %x25.0 = load volatile double, ptr %a25.0
  %r25 = call double @llvm.round.f64(double %x25.0)
  %b25 = bitcast double %r25 to i64
  %ok25 = icmp eq i64 %b25, -4609434218613702656 ; -3.0
  br i1 %ok25, label %next25, label %bad25
bad25:
  ret i32 25
next25:
  %a26.0 = alloca double
  store volatile double 2.5, ptr %a26.0
  %x26.0 = load volatile double, ptr %a26.0
  %r26 = call double @llvm.rint.f64(double %x26.0)
  %b26 = bitcast double %r26 to i64
  %ok26 = icmp eq i64 %b26, 4611686018427387904 ; 2.0
  br i1 %ok26, label %next26, label %bad26
bad26:
  ret i32 26
next26:
  %a27.0 = alloca float
  store volatile float -0.75, ptr %a27.0
  %x27.0 = load volatile float, ptr %a27.0
  %r27 = call float @llvm.trunc.f32(float %x27.0)
  %b27 = bitcast float %r27 to i32
  %ok27 = icmp eq i32 %b27, -2147483648 ; -0.0
  br i1 %ok27, label %next27, label %bad27
bad27:
  ret i32 27
next27:
  %a28.0 = alloca float
  store volatile float -0.75, ptr %a28.0
  %x28.0 = load volatile float, ptr %a28.0
  %r28 = call float @llvm.ceil.f32(float %x28.0)
  %b28 = bitcast float %r28 to i32
  %ok28 = icmp eq i32 %b28, -2147483648 ; -0.0
  br i1 %ok28, label %next28, label %bad28
bad28:
  ret i32 28
next28:
  %a29.0 = alloca float
  store volatile float 1.25, ptr %a29.0
  %x29.0 = load volatile float, ptr %a29.0
  %r29 = call float @llvm.ceil.f32(float %x29.0)
  %b29 = bitcast float %r29 to i32
  %ok29 = icmp eq i32 %b29, 1073741824 ; 2.0
  br i1 %ok29, label %next29, label %bad29
bad29:
  ret i32 29
next29:
  %a30.0 = alloca double
  store volatile double 0x7FF8000000000000, ptr %a30.0
  %x30.0 = load volatile double, ptr %a30.0
  %r30 = call double @llvm.minnum.f64(double %x30.0, double 1.0)
  %b30 = bitcast double %r30 to i64
  %ok30 = icmp eq i64 %b30, 4607182418800017408 ; 1.0
  br i1 %ok30, label %next30, label %bad30
bad30:
  ret i32 30
next30:
  %a31.0 = alloca double
  store volatile double 0x7FF8000000000000, ptr %a31.0
  %x31.0 = load volatile double, ptr %a31.0
  %r31 = call double @llvm.minnum.f64(double 1.0, double %x31.0)
  %b31 = bitcast double %r31 to i64
  %ok31 = icmp eq i64 %b31, 4607182418800017408 ; 1.0
  br i1 %ok31, label %next31, label %bad31
bad31:
  ret i32 31
next31:
  %a32.0 = alloca double
  store volatile double -0.0, ptr %a32.0
  %x32.0 = load volatile double, ptr %a32.0
  %r32 = call double @llvm.maximum.f64(double %x32.0, double 0.0)
  %b32 = bitcast double %r32 to i64
  %ok32 = icmp eq i64 %b32, 0 ; 0.0
  br i1 %ok32, label %next32, label %bad32
bad32:
  ret i32 32
next32:
  %a33.0 = alloca double
  store volatile double 0x0000000000000001, ptr %a33.0
  %x33.0 = load volatile double, ptr %a33.0
  %r33 = call i1 @llvm.is.fpclass.f64(double %x33.0, i32 144)
  %ok33 = icmp eq i1 %r33, true
  br i1 %ok33, label %next33, label %bad33
bad33:
  ret i32 33
next33:
  %a34.0 = alloca double
  store volatile double 1.0, ptr %a34.0
  %x34.0 = load volatile double, ptr %a34.0
  %r34 = call i1 @llvm.is.fpclass.f64(double %x34.0, i32 144)
  %ok34 = icmp eq i1 %r34, false
  br i1 %ok34, label %next34, label %bad34
bad34:
  ret i32 34
next34:
  %a35.0 = alloca double
  store volatile double 0x7FF8000000000000, ptr %a35.0
  %x35.0 = load volatile double, ptr %a35.0
  %r35 = call i1 @llvm.is.fpclass.f64(double %x35.0, i32 3)
  %ok35 = icmp eq i1 %r35, true
  br i1 %ok35, label %next35, label %bad35
bad35:
  ret i32 35
next35:
  %a36.0 = alloca double
  store volatile double 0x7FF0000000000000, ptr %a36.0
  %x36.0 = load volatile double, ptr %a36.0
  %r36 = call i1 @llvm.is.fpclass.f64(double %x36.0, i32 504)
  %ok36 = icmp eq i1 %r36, false
  br i1 %ok36, label %next36, label %bad36
bad36:
  ret i32 36
next36:
  %a37.0 = alloca double
  store volatile double 0xFFF0000000000000, ptr %a37.0
  %x37.0 = load volatile double, ptr %a37.0
  %r37 = call i1 @llvm.is.fpclass.f64(double %x37.0, i32 4)
  %ok37 = icmp eq i1 %r37, true
  br i1 %ok37, label %next37, label %bad37
bad37:
  ret i32 37
next37:
  %a38.0 = alloca double
  store volatile double 1.0e10, ptr %a38.0
  %x38.0 = load volatile double, ptr %a38.0
  %r38 = call i32 @llvm.fptosi.sat.i32.f64(double %x38.0)
  %ok38 = icmp eq i32 %r38, 2147483647
  br i1 %ok38, label %next38, label %bad38
bad38:
  ret i32 38
next38:
  %a39.0 = alloca double
  store volatile double 0x7FF8000000000000, ptr %a39.0
  %x39.0 = load volatile double, ptr %a39.0
  %r39 = call i32 @llvm.fptosi.sat.i32.f64(double %x39.0)
  %ok39 = icmp eq i32 %r39, 0
  br i1 %ok39, label %next39, label %bad39
bad39:
  ret i32 39
next39:
  %a40.0 = alloca float
  store volatile float -3.0, ptr %a40.0
  %x40.0 = load volatile float, ptr %a40.0
  %r40 = call i8 @llvm.fptoui.sat.i8.f32(float %x40.0)
  %ok40 = icmp eq i8 %r40, 0
  br i1 %ok40, label %next40, label %bad40
bad40:
  ret i32 40
next40:
  %a41.0 = alloca float
  store volatile float 3.0, ptr %a41.0
  %x41.0 = load volatile float, ptr %a41.0
  %r41 = call float @llvm.fmuladd.f32(float %x41.0, float 2.0, float 1.0)
  %b41 = bitcast float %r41 to i32
  %ok41 = icmp eq i32 %b41, 1088421888 ; 7.0
  br i1 %ok41, label %next41, label %bad41
bad41:
  ret i32 41
next41:
  %p42 = call {i64, i1} @llvm.umul.with.overflow.i64(i64 -1, i64 2)
  %o42 = extractvalue {i64, i1} %p42, 1
  br i1 %o42, label %next42, label %bad42
bad42:
  ret i32 42
next42:
  %p43 = call {i64, i1} @llvm.umul.with.overflow.i64(i64 3037000499, i64 3037000499)
  %o43 = extractvalue {i64, i1} %p43, 1
  br i1 %o43, label %bad43, label %next43
bad43:
  ret i32 43
next43:
  %p44 = call {i64, i1} @llvm.smul.with.overflow.i64(i64 4611686018427387904, i64 2)
  %o44 = extractvalue {i64, i1} %p44, 1
  br i1 %o44, label %next44, label %bad44
bad44:
  ret i32 44
next44:
  %p45 = call {i64, i1} @llvm.smul.with.overflow.i64(i64 3037000499, i64 3037000499)
  %o45 = extractvalue {i64, i1} %p45, 1
  br i1 %o45, label %bad45, label %next45
bad45:
  ret i32 45
next45:
  %p46 = call {i32, i1} @llvm.ssub.with.overflow.i32(i32 -2147483648, i32 1)
  %o46 = extractvalue {i32, i1} %p46, 1
  br i1 %o46, label %next46, label %bad46
bad46:
  ret i32 46
next46:
  ret i32 0
}
