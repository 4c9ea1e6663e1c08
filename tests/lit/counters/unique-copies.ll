; unique=on adds a marking kernel to each kernel, with one mark for each access of global memory, and
; leaves the kernel unchanged. The table is its last parameter, and that of the functions it calls.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s -o %t.off
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<unique>,verify' -S %s -o %t.on
; RUN: %FileCheck --check-prefix=OFF --implicit-check-not=gpuprof_unique --implicit-check-not=touch --implicit-check-not=addresses --input-file=%t.off %s
; RUN: %FileCheck --implicit-check-not=gpuprof.touch --input-file=%t.on %s
; Groups of attributes have other numbers.
; RUN: sed -n -e 's/ #[0-9]*$//' -e '/^define.* @k(/,/^}/p' %t.off >%t.k.off
; RUN: sed -n -e 's/ #[0-9]*$//' -e '/^define.* @k(/,/^}/p' %t.on | cmp - %t.k.off
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [32 x float] undef

; OFF: define ptx_kernel void @k(
; CHECK: define ptx_kernel void @k(
define ptx_kernel void @k(ptr %p, ptr %q, i1 %which) {
  %x = load float, ptr %p
  store float %x, ptr addrspace(3) @shared
  %either = select i1 %which, ptr %q, ptr addrspacecast (ptr addrspace(3) @shared to ptr)
  %y = load <4 x float>, ptr %either
  call void @called(ptr %q)
  ret void
}
define internal void @called(ptr %q) noinline {
  %old = atomicrmw add ptr %q, i64 1 monotonic
  call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) @shared, ptr %q, i64 64, i1 false)
  ret void
}

; A kernel with an unreachable access has none.
; CHECK: define ptx_kernel void @hidden(
define ptx_kernel void @hidden(ptr %p) {
  %x = call i32 asm "ld.global.u32 $0, [$1];", "=r,l"(ptr %p)
  ret void
}
declare void @llvm.memcpy.p3.p0.i64(ptr addrspace(3), ptr, i64, i1)

; CHECK-NOT: hidden$gpuprof_unique
; CHECK: define ptx_kernel void @"k$gpuprof_unique"(ptr %p, ptr %q, i1 %which, i64 [[TABLE:%.*]])
; CHECK: call void @__gpuprof_record_access(i64 [[TABLE]], ptr %p, i64 4)
; CHECK-NEXT: load float, ptr %p
; CHECK-NOT: touch
; CHECK: call void @__gpuprof_record_access_generic(i64 [[TABLE]], ptr %either, i64 16)
; CHECK-NEXT: load <4 x float>, ptr %either
; CHECK-NOT: call void @__gpuprof_record_access
; CHECK: call void [[CALLED:@"called[^(]+]](ptr %q, {{.*}}i64 [[TABLE]])
; CHECK-NOT: call void @__gpuprof_record_access
; CHECK: define internal void [[CALLED]]({{.*}}, i64 [[INNER:%.*]])
; CHECK: call void @__gpuprof_record_access(i64 [[INNER]], ptr %q, i64 8)
; CHECK-NEXT: atomicrmw add ptr %q
; CHECK: call void @__gpuprof_record_access(i64 [[INNER]], ptr %q, i64 64)
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NOT: call void @__gpuprof_record_access
; CHECK: ret void
