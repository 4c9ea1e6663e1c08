; Inline PTX on memory: atomics, vectors, and asynchronous copies, executed at once.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>&1 | %FileCheck --implicit-check-not=warning: %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @kernel
; CHECK: atomicrmw add ptr addrspace(1) %{{.*}}, i32 2 seq_cst
; CHECK: atomicrmw fadd ptr addrspace(1) %{{.*}}, float 1.000000e+00 seq_cst
; CHECK: atomicrmw umin ptr %{{.*}}, i32 3 seq_cst
; CHECK: cmpxchg ptr addrspace(1) %{{.*}}, i32 4, i32 5
; CHECK: load <4 x float>, ptr addrspace(1)
; CHECK: store <2 x i32> {{.*}}, ptr addrspace(1)
; CHECK: load i128, ptr addrspace(1)
; CHECK: store i128 {{.*}}, ptr addrspace(3)
define ptx_kernel void @kernel(ptr %p) {
  %i = ptrtoint ptr %p to i64
  %a = call i32 asm sideeffect "atom.global.add.u32 $0, [$1], $2;", "=r,l,r"(i64 %i, i32 2)
  call void asm sideeffect "red.relaxed.gpu.global.add.f32 [$0], $1;", "l,f"(i64 %i, float 1.0)
  %b = call i32 asm sideeffect "atom.min.u32 $0, [$1], $2;", "=r,l,r"(i64 %i, i32 3)
  %c = call i32 asm sideeffect "atom.global.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r"(i64 %i, i32 4, i32 5)
  %v = call { float, float, float, float } asm sideeffect "ld.global.nc.v4.f32 {$0,$1,$2,$3}, [$4];", "=f,=f,=f,=f,l"(i64 %i)
  call void asm sideeffect "st.global.v2.u32 [$0], {$1,$2};", "l,r,r"(i64 %i, i32 %a, i32 %b)
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16;", "r,l"(i32 64, i64 %i)
  call void asm sideeffect "cp.async.commit_group;", ""()
  call void asm sideeffect "cp.async.wait_group 0;", ""()
  ret void
}
