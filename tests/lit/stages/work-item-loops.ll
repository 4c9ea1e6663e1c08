; A kernel with a barrier becomes two loops over the threads of a block, beside a copy for one thread.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: x.end
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @k.body.cpu(
; CHECK-NOT: __gpuprof_cpu_barrier
; CHECK-DAG: store i32 1{{.*}} !llvm.access.group
; CHECK-DAG: store i32 2{{.*}} !llvm.access.group
; CHECK-DAG: x.end:
; CHECK-LABEL: define internal void @k.body.cpu.one(
; CHECK: call {{.*}}@__gpuprof_cpu_barrier(
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
