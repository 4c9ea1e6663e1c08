; A floating-point addition by an atomic is an accumulate of its precision for each element; other
; atomics are atomic operations. The sum in a compare-and-swap loop is an add, as anywhere else.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of updates:
; CHECK-NEXT: {{^}} global_atomic=4 fp32_accumulate=1 : %add
; CHECK-NEXT: {{^}} shared_atomic=8 fp64_accumulate=1 : %subtract
; CHECK-NEXT: {{^}} shared_atomic=2 fp16_accumulate=1 : %half
; CHECK-NEXT: {{^}} global_atomic=2 bf16_accumulate=1 : %bfloat
; CHECK-NEXT: {{^}} global_atomic=4 atomic_op=1 : %largest
; CHECK-NEXT: {{^}} global_atomic=4 atomic_op=1 : %smallest
; CHECK-NEXT: {{^}} global_atomic=4 atomic_op=1 : %exchanged
; CHECK-NEXT: {{^}} global_atomic=8 atomic_op=1 : %sum
; CHECK-NEXT: {{^}} shared_atomic=4 atomic_op=1 : %bits
; CHECK-NEXT: {{^}} integer=1 : %number
; CHECK-NEXT: {{^}} global_atomic=4 fp32_accumulate=1 uncounted: generic pointer of unknown space
define void @updates(ptr addrspace(1) %g, ptr addrspace(3) %s, i64 %n) {
  %add = atomicrmw fadd ptr addrspace(1) %g, float 1.0 monotonic
  %subtract = atomicrmw fsub ptr addrspace(3) %s, double 1.0 monotonic
  %half = atomicrmw fadd ptr addrspace(3) %s, half 1.0 monotonic
  %bfloat = atomicrmw fadd ptr addrspace(1) %g, bfloat 1.0 monotonic
  %largest = atomicrmw fmax ptr addrspace(1) %g, float 1.0 monotonic
  %smallest = atomicrmw fmin ptr addrspace(1) %g, float 1.0 monotonic
  %exchanged = atomicrmw xchg ptr addrspace(1) %g, float 1.0 monotonic
  %sum = atomicrmw add ptr addrspace(1) %g, i64 1 monotonic
  %bits = atomicrmw or ptr addrspace(3) %s, i32 1 monotonic
  %number = add i64 %n, 16
  %any = inttoptr i64 %number to ptr
  %unknown = atomicrmw fadd ptr %any, float 1.0 monotonic
  ret void
}

; CHECK-LABEL: costs of ptx:
; CHECK-NEXT: {{^}} shared_atomic=4 fp32_accumulate=1 :
; CHECK-NEXT: {{^}} shared_atomic=4 fp32_accumulate=1 :
; CHECK-NEXT: {{^}} global_atomic=8 fp32_accumulate=2 :
; CHECK-NEXT: {{^}} global_atomic=2 fp16_accumulate=1 :
; CHECK-NEXT: {{^}} shared_atomic=4 bf16_accumulate=2 :
; CHECK-NEXT: {{^}} global_atomic=16 bf16_accumulate=8 :
; CHECK-NEXT: {{^}} global_atomic=4 atomic_op=2 :
; CHECK-NEXT: {{^}} shared_load=64 global_atomic=64 fp16_accumulate=32 :
; CHECK-NEXT: {{^}} shared_load=64 global_atomic=64 atomic_op=8 :
define void @ptx(ptr addrspace(1) %g, ptr addrspace(3) %s) {
  call void asm sideeffect "red.shared.add.f32 [$0], a;", "l"(ptr addrspace(3) %s)
  call void asm sideeffect "atom.shared::cluster.add.f32 a, [p], b;", ""()
  call void asm sideeffect "red.global.add.v2.f32 [p], {a,b};", ""()
  call void asm sideeffect "atom.add.noftz.f16 a, [$0], b;", "l"(ptr addrspace(1) %g)
  call void asm sideeffect "red.shared.add.noftz.bf16x2 [p], a;", ""()
  call void asm sideeffect "red.global.v4.bf16x2.add.noftz [p], {a,b,c,d};", ""()
  call void asm sideeffect "red.global.v2.f16.min.noftz [p], {a,b};", ""()
  call void asm sideeffect "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [g], [s], 64;", ""()
  call void asm sideeffect "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u64 [g], [s], 64;", ""()
  ret void
}

; CHECK-LABEL: costs of swaps:
; CHECK-NEXT: {{^}} fp32_add=1 : %new
; CHECK-NEXT: {{^}} global_atomic=4 atomic_op=1 : %pair
define i1 @swaps(ptr addrspace(1) %g, float %old, float %x) {
  %new = fadd float %old, %x
  %from = bitcast float %old to i32
  %to = bitcast float %new to i32
  %pair = cmpxchg ptr addrspace(1) %g, i32 %from, i32 %to monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  ret i1 %done
}
