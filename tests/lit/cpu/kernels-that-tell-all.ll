; A kernel's row states if calls record all its accesses: the map of sectors is then not searched for it.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-cpu-lower<split>,verify' -S %s 2>%t.err | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @__gpuprof_cpu_kernels =
; CHECK-SAME: ptr @in_rows.block, {{[^}]*}}, i64 1
; CHECK-SAME: ptr @scattered.block, {{[^}]*}}, i64 0
; CHECK-SAME: ptr @by_a_function.block, {{[^}]*}}, i64 0
; CHECK-SAME: ptr @by_any_function.block, {{[^}]*}}, i64 0
; CHECK-LABEL: define internal void @in_rows.body.cpu(
; CHECK: call void @__gpuprof_cpu_record_row(
; CHECK-LABEL: define internal void @scattered.body.cpu(
; CHECK: load i64, ptr @__gpuprof_cpu_sectors
define ptx_kernel void @in_rows(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr float, ptr addrspace(1) %p, i32 %t
  store float 1.0, ptr addrspace(1) %a
  ret void
}

define ptx_kernel void @scattered(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %t
  %i = load i32, ptr addrspace(1) %a
  %b = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %b
  ret void
}

define ptx_kernel void @by_a_function(ptr addrspace(1) %p) {
  call void @stores(ptr addrspace(1) %p)
  ret void
}

define ptx_kernel void @by_any_function(ptr %f) {
  call void %f()
  ret void
}

define internal void @stores(ptr addrspace(1) %p) noinline {
  store float 1.0, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
