; Counters of a function that is not inlined lie in the kernel's local memory and are reached by
; generic instructions; the hardware check is told. Kernels without such calls have no such bytes.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: @__gpuprof_sheet
; CHECK-SAME: \09generic_local_load=8\09generic_local_store=8\0A
; CHECK-SAME: kernel\091\09alone
; CHECK-NOT: generic
; CHECK-SAME: end
define ptx_kernel void @calls(ptr %p) {
  %x = load float, ptr %p
  call void @called(ptr %p)
  ret void
}
define internal void @called(ptr %p) noinline {
  store float 1.0, ptr %p
  ret void
}
define ptx_kernel void @alone(ptr %p) {
  store float 1.0, ptr %p
  ret void
}
