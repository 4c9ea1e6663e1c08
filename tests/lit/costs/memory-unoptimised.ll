; At -O0 pointers pass through variables and parameters: the stored values decide the space.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [32 x float] undef

; CHECK-LABEL: costs of k:
; CHECK-NEXT: local_store=8 : store ptr %p
; CHECK-NEXT: local_store=8 : store ptr addrspacecast
; CHECK-NEXT: local_load=8 : %p.value =
; CHECK-NEXT: global_load=4 : %g =
; CHECK-NEXT: local_load=8 : %s.value =
; CHECK-NEXT: shared_load=4 : %s =
define ptx_kernel void @k(ptr %p) {
  %p.addr = alloca ptr
  %s.addr = alloca ptr
  store ptr %p, ptr %p.addr
  store ptr addrspacecast (ptr addrspace(3) @shared to ptr), ptr %s.addr
  %p.value = load ptr, ptr %p.addr
  %g = load float, ptr %p.value
  %s.value = load ptr, ptr %s.addr
  %s = load float, ptr %s.value
  call void @callee(ptr %s.value)
  ret void
}

; CHECK-LABEL: costs of callee:
; CHECK-NEXT: shared_store=4 : store float
define internal void @callee(ptr %x) {
  store float 0.0, ptr %x
  ret void
}

; CHECK-LABEL: costs of unknown:
; CHECK-NEXT: global_store=4 uncounted: generic pointer of unknown space
define void @unknown(ptr %x) {
  store float 0.0, ptr %x
  ret void
}

; CHECK-LABEL: costs of numbers:
; CHECK: global_store=4 uncounted: generic pointer of unknown space {{.*}} : store float
define ptx_kernel void @numbers(i64 %n) {
  %number.addr = alloca i64
  store i64 ptrtoint (ptr addrspacecast (ptr addrspace(3) @shared to ptr) to i64), ptr %number.addr
  %number = load i64, ptr %number.addr
  %x = inttoptr i64 %number to ptr
  store float 0.0, ptr %x
  ret void
}
