; What kernels refer to must be there on the device.
; RUN: %opt -passes=ka-references %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

@table = internal constant [2 x i32] zeroinitializer
@counter = internal global i32 0
@elsewhere = external constant i32
@function_table = internal constant [1 x ptr] [ptr @unknown]

; CHECK: error: function 'unknown' is not there on the device
; CHECK: error: variable 'counter' is not there on the device; pass its value or a pointer to it
; CHECK: error: variable 'elsewhere' is not there on the device
define void @bad(ptr %p) "ka-kernel" {
  call void @unknown()
  %a = load i32, ptr @counter
  %b = load i32, ptr @elsewhere
  ret void
}
; CHECK: error: the address of function 'unknown' cannot be taken in a kernel
define void @address(ptr %p) "ka-kernel" {
  %a = load ptr, ptr @function_table
  store ptr %a, ptr %p
  ret void
}
define void @good(ptr %p) "ka-kernel" {
  %a = load i32, ptr getelementptr ([2 x i32], ptr @table, i64 0, i64 1)
  %i = call i64 @ka_global_id(i32 0)
  %s = call float @_Z3sinf(float 1.0)
  ret void
}
declare void @unknown()
declare i64 @ka_global_id(i32)
declare float @_Z3sinf(float)
