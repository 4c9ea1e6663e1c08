; A shuffle reads the other lane's value at a distance: neighbouring values for up and down, one of two for an exchange
; with the lane whose index differs in one bit. The lane's own index comes from a table. A float and its bits, which the
; shuffle moves, are kept in one array.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)

; CHECK: @gpuprof.lanes = private unnamed_addr constant [1024 x i32] [i32 0, i32 1,
; CHECK-LABEL: define internal void @k.body.cpu(
; CHECK-COUNT-1: alloca [{{[0-9]+}} x float]
; CHECK-NOT: alloca [{{[0-9]+}} x i32]
; CHECK: getelementptr inbounds i32, ptr @gpuprof.lanes, i64 %
; CHECK: %[[LANE:.*]] = load i32, ptr %{{.*}}, !range ![[LANES:[0-9]+]]
; CHECK: add nuw nsw i64 %{{.*}}, 32
; CHECK: %[[ABOVE:.*]] = load i32,
; CHECK: %[[BELOW:.*]] = load i32,
; CHECK: %[[BIT:.*]] = and i32 %[[LANE]], 4
; CHECK: %[[CLEAR:.*]] = icmp eq i32 %[[BIT]], 0
; CHECK: select i1 %[[CLEAR]], i32 %[[ABOVE]], i32 %[[BELOW]]
; CHECK: ![[LANES]] = !{i32 0, i32 32}
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr addrspace(1) %p, i32 %t
  %x = load float, ptr addrspace(1) %at
  %bits = bitcast float %x to i32
  %other = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %bits, i32 4, i32 31)
  %y = bitcast i32 %other to float
  %sum = fadd float %x, %y
  store float %sum, ptr addrspace(1) %at
  ret void
}
