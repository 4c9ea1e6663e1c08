; check=on adds an instrumented kernel to each kernel, counting each access of a warp, and leaves the kernel unchanged. The
; table is its last parameter, and that of the functions it calls. An access with less alignment than its size counts by parts.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s -o %t.off
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<check>,verify' -S %s -o %t.on
; RUN: %FileCheck --check-prefix=OFF --implicit-check-not=gpuprof_warp --input-file=%t.off %s
; RUN: %FileCheck --implicit-check-not=gpuprof.warp --input-file=%t.on %s
; Groups of attributes have other numbers.
; RUN: sed -n -e 's/ #[0-9]*$//' -e '/^define.* @k(/,/^}/p' %t.off >%t.k.off
; RUN: sed -n -e 's/ #[0-9]*$//' -e '/^define.* @k(/,/^}/p' %t.on | cmp - %t.k.off
; No lanes are compared before sm_70.
; RUN: sed -e 's/sm_90/sm_61/' %s | %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<check>,verify' -S - -o - | %FileCheck --check-prefix=OFF --implicit-check-not=gpuprof_warp %s
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [32 x float] undef

; The sheet names the kernel and the number of its parameters.
; CHECK: warps\090\093\0A
; OFF: define ptx_kernel void @k(
; CHECK: define ptx_kernel void @k(
define ptx_kernel void @k(ptr %p, ptr %q, i1 %which) #0 {
  %x = load float, ptr %p
  store float %x, ptr addrspace(3) @shared
  %z = load i32, ptr %q, align 2
  call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) align 4 @shared, ptr align 16 %q, i64 32, i1 false)
  call void @called(ptr %q)
  %unused = atomicrmw add ptr %q, i64 3 monotonic
  %old = atomicrmw umax ptr addrspace(3) @shared, i32 4 monotonic
  %used = atomicrmw fadd ptr %p, float 5.0 monotonic
  store float %used, ptr %p
  ret void
}
define internal void @called(ptr %q) noinline #0 {
  %old = atomicrmw add ptr %q, i64 1 monotonic
  %older = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %q, i32 1)
  ret void
}
declare i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr, i32)
declare void @llvm.memcpy.p3.p0.i64(ptr addrspace(3), ptr, i64, i1)
attributes #0 = { "target-cpu"="sm_90" }

; CHECK: define ptx_kernel void @"k$gpuprof_warps"(ptr %p, ptr %q, i1 %which, i64 [[TABLE:%.*]])
; CHECK: [[P:%.*]] = ptrtoint ptr %p to i64
; CHECK: call void @__gpuprof_warp_access(i64 [[TABLE]], i64 {{.*}}, i32 4, i32 0, i32 {{.*}})
; CHECK: load float, ptr %p
; CHECK: call void @__gpuprof_warp_access(i64 [[TABLE]], i64 {{.*}}, i32 4, i32 4, i32 {{.*}})
; CHECK-NEXT: store float
; CHECK: call void @__gpuprof_warp_access(i64 [[TABLE]], i64 {{.*}}, i32 2, i32 0, i32 {{.*}})
; CHECK: call void @__gpuprof_warp_access(i64 [[TABLE]], i64 {{.*}}, i32 2, i32 0, i32 {{.*}})
; CHECK-NEXT: load i32, ptr %q, align 2
; A copy is loads and stores, each as wide as its alignment, and an access at most, allow.
; CHECK-COUNT-2: call void @__gpuprof_warp_access(i64 [[TABLE]], i64 {{.*}}, i32 16, i32 0, i32 {{.*}})
; CHECK-COUNT-8: call void @__gpuprof_warp_access(i64 [[TABLE]], i64 {{.*}}, i32 4, i32 4, i32 {{.*}})
; CHECK-NEXT: call void @llvm.memcpy
; CHECK: call void @"called{{.*}}$gpuprof_warps"(ptr %q, {{.*}}i64 [[TABLE]])
; ptxas lets lanes part at atomics with results: those of known memory without users get none.
; CHECK: call void asm sideeffect "red.global.add.u64 [$0], $1;", "l,l,~{memory}"(ptr addrspace(1) {{.*}}, i64 3)
; CHECK: call void asm sideeffect "red.shared.max.u32 [$0], $1;", "{{[lr]}},r,~{memory}"(ptr addrspace(3) @shared, i32 4)
; CHECK: atomicrmw fadd ptr %p
; CHECK: define internal void @"called{{.*}}$gpuprof_warps"(ptr %q, {{.*}}i64 [[OTHER:%.*]])
; CHECK: call void @__gpuprof_warp_access(i64 [[OTHER]], i64 {{.*}}, i32 8, i32 2, i32 {{.*}})
; CHECK-NEXT: atomicrmw add
; An atomic with a scope is an intrinsic.
; CHECK: call void @__gpuprof_warp_access(i64 [[OTHER]], i64 {{.*}}, i32 4, i32 2, i32 {{.*}})
; CHECK-NEXT: call i32 @llvm.nvvm.atomic.add.gen.i.sys
