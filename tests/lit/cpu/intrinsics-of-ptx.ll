; Intrinsics equal to one instruction of PTX have its code, with its operands in their places.
; REQUIRES: llvm-22
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower,verify -S %s 2>%t.err | %FileCheck %s
; RUN: ! grep 'cannot run' %t.err
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @all.body.cpu
define ptx_kernel void @all(ptr %out, ptr addrspace(1) %global, i32 %a, i32 %b, i32 %c, float %f, float %g) {
  %shared = addrspacecast ptr %out to ptr addrspace(3)
; b below a, shifted to the left by c, at most by 32.
; CHECK: [[LOW:%.*]] = zext i32 %b to i64
; CHECK: [[HIGH:%.*]] = zext i32 %a to i64
; CHECK: shl i64 [[HIGH]], 32
; CHECK: call i32 @llvm.umin.i32(i32 %c, i32 32)
  %shift = call i32 @llvm.nvvm.fshl.clamp.i32(i32 %a, i32 %b, i32 %c)
  store volatile i32 %shift, ptr %out
; Signed halves of a times the unsigned upper bytes of b, and c.
; CHECK: lshr i32 %a, 0
; CHECK: lshr i32 %b, 16
; CHECK: add i32 %c,
  %dot = call i32 @llvm.nvvm.idp2a.s.u(i32 %a, i32 %b, i1 true, i32 %c)
  store volatile i32 %dot, ptr %out
; CHECK: call i32 @llvm.ctlz.i32(i32 %a, i1 false)
; CHECK-NEXT: icmp eq i32 %a, 0
  %first = call i32 @llvm.nvvm.flo.u.i32(i32 %a, i1 true)
  store volatile i32 %first, ptr %out
; CHECK: call float @llvm.fabs.f32(float %f)
; CHECK: call i32 @__gpuprof_cpu_redux(ptr {{.*}}, i32 4, i32 %b, i32
  %most = call float @llvm.nvvm.redux.sync.fmax.abs.NaN(float %f, i32 %b)
  store volatile float %most, ptr %out
; The first is the upper byte.
; CHECK: [[UPPER:%.*]] = bitcast float %f to i32
; CHECK: [[TOP:%.*]] = call i32 @__gpuprof_cpu_to_float8(i32 0, i32 [[UPPER]])
; CHECK: shl i32 [[TOP]], 8
  %bytes = call i16 @llvm.nvvm.ff.to.e4m3x2.rn(float %f, float %g)
  store volatile i16 %bytes, ptr %out
; CHECK: call i64 @__gpuprof_cpu_mbarrier_arrive(ptr {{.*}}, i32 1, i32 %a, i32 1)
  %state = call i64 @llvm.nvvm.mbarrier.arrive.drop.expect.tx.scope.cta.space.cta(ptr addrspace(3) %shared, i32 %a)
; CHECK: call i32 @__gpuprof_cpu_mbarrier_test(ptr {{.*}}, ptr {{.*}}, i64 %{{.*}}, i32 0)
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.scope.cta.space.cta(ptr addrspace(3) %shared, i64 %state)
  store volatile i1 %done, ptr %out
; CHECK: call void @__gpuprof_cpu_mbarrier_transact(ptr {{.*}}, i32 %{{.*}})
; CHECK: call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) align 16 %{{.*}}, ptr addrspace(1) align 16 %{{.*}}, i64 %{{.*}}, i1 false)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) %shared, ptr addrspace(3) %shared, ptr addrspace(1) %global, i32 %a, i64 0, i1 false)
; CHECK: call void @__gpuprof_cpu_barrier_arrive(ptr {{.*}}, i32 %a, i32 %b)
  call void @llvm.nvvm.barrier.cta.arrive.count(i32 %a, i32 %b)
; CHECK: call void @__gpuprof_cpu_exit(ptr
  call void @llvm.nvvm.exit()
  ret void
}
