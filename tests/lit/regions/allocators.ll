; new and delete without a definition in the program's headers call the device's malloc and free; defined ones stay.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-allocators,verify -S %s | %FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define linkonce noundef ptr @_Znwm(i64 noundef %0)
; CHECK: %1 = call ptr @malloc(i64 %0)
; CHECK: ret ptr %1
declare noundef ptr @_Znwm(i64 noundef)
; CHECK-LABEL: define linkonce void @_ZdlPvm(ptr %0, i64 %1)
; CHECK: call void @free(ptr %0)
; CHECK: ret void
declare void @_ZdlPvm(ptr, i64)
; CHECK-LABEL: define weak void @_ZdlPv(ptr %p)
; CHECK-NEXT: ret void
define weak void @_ZdlPv(ptr %p) {
  ret void
}
; CHECK: declare ptr @_Znam(i64)
declare ptr @_Znam(i64)
define ptx_kernel void @kernel() {
  %p = call ptr @_Znwm(i64 8)
  call void @_ZdlPvm(ptr %p, i64 8)
  call void @_ZdlPv(ptr %p)
  ret void
}
