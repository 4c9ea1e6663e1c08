; Separate compilation: functions counting for kernels of other units keep their names, hidden in the program. A
; weak one stays weak; its undefined callee stops the launch, without a warning. The place of shared variables is
; known in one unit only, so such a function with one stops, too. A kernel calling one has no loop over its threads.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s -o %t 2>%t.err
; RUN: %FileCheck %s < %t
; RUN: %FileCheck --check-prefix=ERR --implicit-check-not=theirs %s < %t.err
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
; ERR: the CPU device cannot run shared variables of function 'tile', which another file calls
@buffer = internal addrspace(3) global [32 x float] undef

; CHECK: @__gpuprof_cpu_kernels = constant [2 x {{.*}}ptr @caller.thread, ptr null,{{.*}}ptr @plain.thread, ptr @plain.block
define ptx_kernel void @caller(ptr addrspace(1) %p) {
  %x = call float @"theirs$gpuprof"(float 1.0, i64 0)
  store float %x, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @plain(ptr addrspace(1) %p) {
  store float 1.0, ptr addrspace(1) %p
  ret void
}
; CHECK: define hidden float @"ours$gpuprof"(
define float @"ours$gpuprof"(float %x, i64 %counters) {
  %y = fmul float %x, %x
  ret float %y
}
; CHECK: define hidden float @"tile$gpuprof"(
; CHECK: call void @__gpuprof_cpu_unsupported(
define float @"tile$gpuprof"(i64 %n, i64 %counters) {
  %place = getelementptr float, ptr addrspace(3) @buffer, i64 %n
  %x = load float, ptr addrspace(3) %place
  ret float %x
}
; CHECK: define weak hidden float @"theirs$gpuprof"(
; CHECK-NEXT: call float @theirs.cpu(
define weak float @"theirs$gpuprof"(float %x, i64 %counters) {
  %y = call float @theirs(float %x)
  ret float %y
}
; CHECK: define internal float @theirs.cpu(
; CHECK: call void @__gpuprof_cpu_unsupported(
declare float @theirs(float)
