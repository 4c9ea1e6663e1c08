; A row each: functions of the device runtime.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of call.vprintf:
define void @call.vprintf() {
  %1 = call i32 @vprintf(ptr poison, ptr poison)
  ret void
}

; CHECK-NEXT: costs of call.malloc:
define void @call.malloc() {
  %1 = call ptr @malloc(i64 poison)
  ret void
}

; CHECK-NEXT: costs of call.free:
define void @call.free() {
  call void @free(ptr poison)
  ret void
}

; CHECK-NEXT: costs of call.__assertfail:
define void @call.__assertfail() {
  call void @__assertfail(ptr poison, ptr poison, i32 poison, ptr poison, i64 poison)
  ret void
}

; CHECK-NEXT: costs of call.__assert_fail:
define void @call.__assert_fail() {
  call void @__assert_fail(ptr poison, ptr poison, i32 poison, ptr poison)
  ret void
}

; CHECK-NEXT: costs of call.__nvvm_reflect:
define void @call.__nvvm_reflect() {
  %1 = call i32 @__nvvm_reflect(ptr poison)
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}

declare i32 @vprintf(ptr, ptr)
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare void @__assert_fail(ptr, ptr, i32, ptr)
declare i32 @__nvvm_reflect(ptr)
