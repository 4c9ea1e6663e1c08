; ptxas makes loops of some atomics: shared memory adds no floats and no 64-bit integers, no memory adds one half.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-expansions>' -disable-output %s | %FileCheck %s --implicit-check-not=expand_
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: expansions of shared:
; CHECK-NEXT: expand_fp32_loop=1 : %single
; CHECK-NEXT: expand_fp64_loop=1 : %double
; CHECK-NEXT: expand_half_shared_loop=1 expand_half_shared_swap=2 : %half
; CHECK-NEXT: expand_half_shared_loop=1 expand_half_shared_swap=2 : %bfloat
; CHECK-NEXT: expand_long_loop=1 : %long
; CHECK-NEXT: expand_half_shared_loop=1 : call void asm sideeffect "red.shared.add.noftz.f16x2
; CHECK-NEXT: expand_fp32_loop=1 : call void asm sideeffect "red.shared::cluster.add.f32
define void @shared(ptr addrspace(3) %s) {
  %single = atomicrmw fadd ptr addrspace(3) %s, float 1.0 monotonic
  %double = atomicrmw fadd ptr addrspace(3) %s, double 1.0 monotonic
  %half = atomicrmw fadd ptr addrspace(3) %s, half 1.0 monotonic
  %bfloat = atomicrmw fadd ptr addrspace(3) %s, bfloat 1.0 monotonic
  %long = atomicrmw add ptr addrspace(3) %s, i64 1 monotonic
  call void asm sideeffect "red.shared.add.noftz.f16x2 [p], a;", ""()
  call void asm sideeffect "red.shared::cluster.add.f32 [p], a;", ""()
  %word = atomicrmw add ptr addrspace(3) %s, i32 1 monotonic
  %exchanged = atomicrmw xchg ptr addrspace(3) %s, i64 1 monotonic
  %pair = cmpxchg ptr addrspace(3) %s, i64 0, i64 1 monotonic monotonic
  ret void
}

; CHECK-LABEL: expansions of global:
; CHECK-NEXT: expand_half_global_loop=1 expand_half_global_swap=2 : %half
define void @global(ptr addrspace(1) %g) {
  %single = atomicrmw fadd ptr addrspace(1) %g, float 1.0 monotonic
  %double = atomicrmw fadd ptr addrspace(1) %g, double 1.0 monotonic
  %half = atomicrmw fadd ptr addrspace(1) %g, half 1.0 monotonic
  %long = atomicrmw add ptr addrspace(1) %g, i64 1 monotonic
  call void asm sideeffect "red.global.add.noftz.f16x2 [p], a;", ""()
  call void asm sideeffect "red.global.v4.f16.add.noftz [p], {a,b,c,d};", ""()
  ret void
}
