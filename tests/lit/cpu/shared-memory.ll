; Shared variables are offsets from the block's memory: side by side in a kernel, overlapping between kernels.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@a = internal addrspace(3) global [3 x i32] undef, align 4
@b = internal addrspace(3) global [2 x double] undef, align 8
@c = internal addrspace(3) global [100 x i32] undef, align 4
@dynamic = external addrspace(3) global [0 x float], align 4

; 12 bytes of a, 4 of padding, 16 of b: 32; c alone: 400.
; CHECK: @__gpuprof_cpu_kernels = {{.*}} ptr @two.thread, ptr @two.block, ptr null, i32 0, i32 32,
; CHECK-SAME: ptr @other.thread, ptr @other.block, ptr null, i32 0, i32 400,
; CHECK-NOT: addrspace(3) global

; CHECK-LABEL: define internal void @two.body.cpu(ptr %thread)
; CHECK: [[A:%.*]] = getelementptr inbounds{{.*}} i8, ptr %{{.*}}, i64 0
; CHECK: [[A3:%.*]] = addrspacecast ptr [[A]] to ptr addrspace(3)
; CHECK: store i32 1, ptr addrspace(3) [[A3]]
; CHECK: [[B:%.*]] = getelementptr inbounds{{.*}} i8, ptr %{{.*}}, i64 16
; CHECK: [[B3:%.*]] = addrspacecast ptr [[B]] to ptr addrspace(3)
; CHECK: getelementptr {{.*}}ptr addrspace(3) [[B3]], i64 8
; CHECK: [[D:%.*]] = getelementptr inbounds{{.*}} i8, ptr %{{.*}}, i64 32
; CHECK: [[D3:%.*]] = addrspacecast ptr [[D]] to ptr addrspace(3)
; CHECK: store float 3.000000e+00, ptr addrspace(3) [[D3]]
define ptx_kernel void @two() {
  store i32 1, ptr addrspace(3) @a
  store double 2.0, ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @b, i64 8) to ptr)
  store float 3.0, ptr addrspace(3) @dynamic
  ret void
}

; CHECK-LABEL: define internal void @other.body.cpu(ptr %thread)
; CHECK: getelementptr inbounds{{.*}} i8, ptr %{{.*}}, i64 0
; CHECK: getelementptr inbounds{{.*}} i8, ptr %{{.*}}, i64 400
define ptx_kernel void @other() {
  store i32 1, ptr addrspace(3) @c
  store float 3.0, ptr addrspace(3) @dynamic
  ret void
}
