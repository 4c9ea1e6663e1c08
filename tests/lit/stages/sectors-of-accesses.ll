; Other accesses of kernels are recorded where they are made.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows,gpuprof-cpu-sectors-of-loops,gpuprof-cpu-sectors-of-accesses -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows,gpuprof-cpu-sectors-of-loops -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: @__gpuprof_cpu_sectors
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @k.body.cpu(
; CHECK: load i64, ptr @__gpuprof_cpu_sectors
; CHECK: store i8 1
; CHECK: store i32 1
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %index) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %which = getelementptr i32, ptr addrspace(1) %index, i32 %t
  %i = load i32, ptr addrspace(1) %which
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %at
  ret void
}
