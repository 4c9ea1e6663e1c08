; A kernel with barriers becomes loops over its threads where all threads come to each barrier together: in a loop whose turns
; are the same for all, and behind a return of some. Where threads take loops of their own it runs on fibers.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-cpu-lower<split>,verify' -S %s -o %t
; RUN: %FileCheck %s < %t
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @__gpuprof_cpu_kernels = {{.*}}ptr @same.thread, ptr @same.block, {{.*}}ptr @returned.thread, ptr @returned.block, {{.*}}ptr @own.thread, ptr null,
; CHECK-LABEL: define internal void @same.body.cpu(
; CHECK-NOT: __gpuprof_cpu_barrier
; A varying value live across the barrier is kept for each thread, a uniform one once.
; CHECK-DAG: alloca [1104 x float]
; CHECK-DAG: alloca i32
; CHECK: br i1 {{.*}}!llvm.loop
; CHECK: ret void
define ptx_kernel void @same(ptr addrspace(1) %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr float, ptr addrspace(1) %p, i32 %t
  %x = load float, ptr addrspace(1) %a
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  call void @llvm.nvvm.barrier0()
  store volatile float %x, ptr addrspace(1) %a
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define internal void @returned.body.cpu(
; CHECK-NOT: __gpuprof_cpu_barrier
; CHECK: ret void
define ptx_kernel void @returned(ptr addrspace(1) %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out = icmp sge i32 %t, %n
  br i1 %out, label %done, label %inside
inside:
  call void @llvm.nvvm.barrier0()
  store float 1.0, ptr addrspace(1) %p
  br label %done
done:
  ret void
}

; CHECK-LABEL: define internal void @own.body.cpu(
; CHECK: call void @__gpuprof_cpu_barrier(
define ptx_kernel void @own(ptr addrspace(1) %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  call void @llvm.nvvm.barrier0()
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %t
  br i1 %more, label %loop, label %done
done:
  ret void
}
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
