; Special registers are fields of the thread's state (abi_structures.inc), or follow from them.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; A called function asks the emulator once for the state.
; CHECK-LABEL: define internal i32 @called.cpu()
; CHECK-COUNT-1: call ptr @__gpuprof_cpu_self()
; CHECK-NOT: call ptr
; CHECK: ret i32

; CHECK-LABEL: define internal void @kernel.body.cpu(ptr %thread
; CHECK: [[TIDY:%.*]] = getelementptr inbounds{{.*}} %gpuprof_cpu_thread, ptr %thread, i32 0, i32 1
; CHECK: load i32, ptr [[TIDY]]
; CHECK: [[NTIDX:%.*]] = getelementptr inbounds{{.*}} %gpuprof_cpu_thread, ptr %thread, i32 0, i32 3
; CHECK: load i32, ptr [[NTIDX]]
; CHECK: [[LANE:%.*]] = getelementptr inbounds{{.*}} %gpuprof_cpu_thread, ptr %thread, i32 0, i32 12
; CHECK: [[ID:%.*]] = load i32, ptr [[LANE]]
; CHECK: [[OWN:%.*]] = shl i32 1, [[ID]]
; CHECK: sub i32 [[OWN]], 1
; CHECK: store i32 32, ptr addrspace(3)
; CHECK: call i64 @__gpuprof_cpu_clock()
; CHECK: call i64 @__gpuprof_cpu_globaltimer()
; CHECK: getelementptr inbounds{{.*}} %gpuprof_cpu_thread, ptr %thread, i32 0, i32 14
; CHECK-NOT: @__gpuprof_cpu_self
; CHECK: ret void
define ptx_kernel void @kernel(ptr addrspace(3) %s) {
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  store i32 %y, ptr addrspace(3) %s
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store i32 %n, ptr addrspace(3) %s
  %l = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  store i32 %l, ptr addrspace(3) %s
  %w = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  store i32 %w, ptr addrspace(3) %s
  %c = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %g = call i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
  %slot = call i32 @__gpuprof_counter_slot()
  store i32 %slot, ptr addrspace(3) %s
  ret void
}

define i32 @called() noinline {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %s = add i32 %x, %y
  ret i32 %s
}

; Then the block's loop must keep the state where the emulator looks.
; CHECK-LABEL: define internal void @asks.block(ptr %thread
; CHECK-NOT: alloca
; CHECK: call void @asks.body.cpu(ptr %thread)
define ptx_kernel void @asks() {
  %x = call i32 @called()
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
declare i32 @__gpuprof_counter_slot()
