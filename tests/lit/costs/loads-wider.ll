; Three words of an aligned block of four in shared memory, which ptxas loads by one LDS.128.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-loads>' -disable-output %s | %FileCheck %s --implicit-check-not=expand_
target triple = "nvptx64-nvidia-cuda"
@part = internal addrspace(3) global [32 x float] undef, align 4
@aligned = internal addrspace(3) global [32 x float] undef, align 16

; CHECK-LABEL: loads of three:
; CHECK-NEXT: expand_shared_load_wider=4 : %a =
define void @three() {
  %a = load float, ptr addrspacecast (ptr addrspace(3) @part to ptr)
  %b = load float, ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @part, i64 4) to ptr)
  %c = load float, ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @part, i64 8) to ptr)
  ret void
}

; Two words are loaded one by one; seven are a block and three.
; CHECK-LABEL: loads of others:
; CHECK-NEXT: expand_shared_load_wider=4 : %two
define void @others(ptr addrspace(3) align 16 %p) {
  %a = load float, ptr addrspace(3) @part
  %b = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @part, i64 8)
  %two.p = getelementptr i8, ptr addrspace(3) %p, i64 12
  %two = load <2 x float>, ptr addrspace(3) %two.p, align 4
  %zero = load float, ptr addrspace(3) %p
  %four.p = getelementptr i8, ptr addrspace(3) %p, i64 4
  %four = load float, ptr addrspace(3) %four.p
  %eight.p = getelementptr i8, ptr addrspace(3) %p, i64 8
  %eight = load <1 x float>, ptr addrspace(3) %eight.p
  %twenty.p = getelementptr i8, ptr addrspace(3) %p, i64 20
  %twenty = load <2 x float>, ptr addrspace(3) %twenty.p, align 4
  ret void
}

; Where the block begins is known: the three are of two blocks.
; CHECK-LABEL: loads of two_blocks:
define void @two_blocks() {
  %a = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @aligned, i64 8)
  %b = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @aligned, i64 12)
  %c = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @aligned, i64 16)
  ret void
}

; Nothing is joined past a barrier or a store.
; CHECK-LABEL: loads of parted:
define void @parted() {
  %a = load float, ptr addrspace(3) @part
  %b = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @part, i64 4)
  store float 0.0, ptr addrspace(3) @aligned
  %c = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @part, i64 8)
  ret void
}
