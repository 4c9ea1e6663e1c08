; A launch from a kernel, two calls of CUDA's device runtime in clang, gives one warning naming it.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck %s
; RUN: %FileCheck --check-prefix=WARNING %s < %t.err
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; WARNING: warning: {{.*}}the CPU device cannot run launches from kernels (dynamic parallelism): a launch that reaches it will fail
; WARNING-NOT: warning

; CHECK: c"launches from kernels (dynamic parallelism)\00"
; CHECK: call void @__gpuprof_cpu_unsupported(

declare ptr @__cudaCDP2GetParameterBuffer(i64, i64)
declare i32 @__cudaCDP2LaunchDevice(ptr, ptr, ptr, ptr, i32, ptr)

define ptx_kernel void @child(ptr %p) {
  ret void
}
define ptx_kernel void @parent(ptr %p) {
  %buffer = call ptr @__cudaCDP2GetParameterBuffer(i64 64, i64 8)
  %empty = icmp eq ptr %buffer, null
  br i1 %empty, label %end, label %launch
launch:
  store ptr %p, ptr %buffer
  %error = call i32 @__cudaCDP2LaunchDevice(ptr @child, ptr %buffer, ptr %p, ptr %p, i32 0, ptr null)
  br label %end
end:
  ret void
}
