; Loads that ptxas merges with earlier ones of the same pointer, or moves before loops: nothing is stored to their memory
; between. It knows what LLVM does not: other spaces, and inline PTX that accesses no memory.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-loads>' -disable-output %s | %FileCheck %s --implicit-check-not=expand_
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [256 x float] undef, align 4

; CHECK-LABEL: loads of past_statement:
; CHECK-NEXT: expand_shared_load_less_same=4 : %again
define void @past_statement(i64 %i) {
  %at = getelementptr float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %i
  %x = load float, ptr %at
  %lane = call i32 asm sideeffect "mov.u32 $0, %laneid;", "=r,~{memory}"()
  %again = load float, ptr %at
  %sum = fadd float %x, %again
  store float %sum, ptr %at
  %behind = load float, ptr %at
  ret void
}

; Stores of unknown memory, barriers, and statements that store are in the way.
; CHECK-LABEL: loads of past_stores:
define void @past_stores(ptr %unknown, i64 %i) {
  %at = getelementptr float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %i
  %x = load float, ptr %at
  store float 0.0, ptr %unknown
  %a = load float, ptr %at
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %b = load float, ptr %at
  call void asm sideeffect "st.shared.f32 [$0], 0f00000000;", "r"(i32 0)
  %c = load float, ptr %at
  %d = load volatile float, ptr %at
  ret void
}

; The corpus' push_shared: the end of the edges is loaded before the loop, and the loop changes shared memory only.
; CHECK-LABEL: loads of before_the_loop:
; CHECK-NEXT: expand_global_load_less_same=4 : %end =
define ptx_kernel void @before_the_loop(ptr addrspace(1) %last, i32 %n) {
  %first = load i32, ptr addrspace(1) %last
  %some = icmp slt i32 0, %first
  br i1 %some, label %loop, label %out
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %old = atomicrmw fadd ptr addrspace(3) %at, float 1.0 monotonic
  %next = add i32 %i, 1
  %end = load i32, ptr addrspace(1) %last
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %out
out:
  ret void
}

; One load in place of one for each turn; one that only some turns make stays.
; CHECK-LABEL: loads of invariant:
; CHECK-NEXT: expand_global_load_behind_same=4 : br label %loop
; CHECK-NEXT: expand_global_load_less_same=4 : %scale
define ptx_kernel void @invariant(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n, i1 %c) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %scale = load float, ptr addrspace(1) %p
  %at = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %scale, ptr addrspace(3) %at
  br i1 %c, label %then, label %latch
then:
  %rare = load float, ptr addrspace(1) %q
  store float %rare, ptr addrspace(3) %at
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; The corpus' attention_row: the inner loop of 8 turns is unrolled, its loads of the query stand before the outer loop. The
; key's change with the outer loop.
; CHECK-LABEL: loads of row_of_query:
; CHECK-NEXT: expand_global_load_behind_same=32 : br label %keys
; CHECK-NEXT: expand_global_load_less_same=4 : %a =
define ptx_kernel void @row_of_query(ptr addrspace(1) %query, ptr addrspace(1) %key, i64 %n) {
  br label %keys
keys:
  %j = phi i64 [ 0, %0 ], [ %j.next, %end ]
  %row = shl i64 %j, 3
  br label %dots
dots:
  %d = phi i64 [ 0, %keys ], [ %d.next, %dots ]
  %s = phi float [ 0.0, %keys ], [ %sum, %dots ]
  %a.p = getelementptr float, ptr addrspace(1) %query, i64 %d
  %a = load float, ptr addrspace(1) %a.p
  %k = add i64 %row, %d
  %b.p = getelementptr float, ptr addrspace(1) %key, i64 %k
  %b = load float, ptr addrspace(1) %b.p
  %product = fmul float %a, %b
  %sum = fadd float %s, %product
  %d.next = add nuw nsw i64 %d, 1
  %d.more = icmp ult i64 %d.next, 8
  br i1 %d.more, label %dots, label %end
end:
  %at = getelementptr float, ptr addrspace(3) @tile, i64 %j
  store float %sum, ptr addrspace(3) %at
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %keys, label %out
out:
  ret void
}

declare void @llvm.nvvm.bar.warp.sync(i32)

; A pair that was loaded number by number, past an atomic: nothing changes what a kernel only reads (ld.global.nc).
; CHECK-LABEL: loads of pair_again:
; CHECK-NEXT: expand_global_load_less_same=8 : %both
define ptx_kernel void @pair_again(ptr noalias readonly %p, ptr %q) {
  %key = load i32, ptr %p, align 4
  %value.p = getelementptr i8, ptr %p, i64 4
  %value = load i32, ptr %value.p, align 4
  %old = atomicrmw add ptr %q, i32 1 monotonic
  %both = load i64, ptr %p, align 4
  store i64 %both, ptr %q
  ret void
}

; ptxas loads one half of a pair where nothing takes the other.
; CHECK-LABEL: loads of one_half:
; CHECK-NEXT: expand_global_load_less_same=2 : %pair
define ptx_kernel void @one_half(ptr %p, ptr %q, ptr %out) {
  %pair = load i32, ptr %p, align 4
  %low = call i16 asm "{.reg .f16 low,high;\0A mov.b32 {low,high}, $1;\0A mov.b16 $0, low;}", "=h,r"(i32 %pair)
  %both = load i32, ptr %q, align 4
  %a = call i16 asm "{.reg .f16 low,high;\0A mov.b32 {low,high}, $1;\0A mov.b16 $0, low;}", "=h,r"(i32 %both)
  %b = call i16 asm "{.reg .f16 low,high;\0A mov.b32 {low,high}, $1;\0A mov.b16 $0, high;}", "=h,r"(i32 %both)
  store i16 %low, ptr %out
  store i16 %a, ptr %out
  store i16 %b, ptr %out
  ret void
}
