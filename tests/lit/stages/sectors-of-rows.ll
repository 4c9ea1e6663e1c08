; Accesses affine in threadIdx.x are recorded once for a row of threads.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: @__gpuprof_cpu_record_row
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @k.body.cpu(
; CHECK: call {{.*}}@__gpuprof_cpu_record_row(ptr {{.*}}, i64 4, i64 {{.*}}, i64 4)
; CHECK: store i32 1
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare void @llvm.nvvm.barrier0()
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 1, ptr addrspace(1) %at
  call void @llvm.nvvm.barrier0()
  store i32 2, ptr addrspace(1) %at
  ret void
}
