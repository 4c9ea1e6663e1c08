; Bytes by the space of a pointer's object; kernel arguments and pointers loaded from them are global.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [32 x float] undef
@constant = addrspace(4) externally_initialized constant [16 x float] zeroinitializer
@table = addrspace(1) global [16 x float] zeroinitializer

; CHECK-LABEL: costs of k:
; CHECK-NEXT: global_load=4 global_uniform=4 : %a =
; CHECK-NEXT: global_store=16 global_uniform=16 : store <4 x float>
; CHECK-NEXT: shared_load=4 shared_uniform=4 : %s =
; CHECK-NEXT: shared_store=8 shared_uniform=8 : store double
; CHECK-NEXT: constant_load=4 : %c =
; CHECK-NEXT: constant_load=4 : %byval =
; CHECK-NEXT: global_load=2 global_uniform=2 : %t =
; CHECK-NEXT: local_store=4 : store i32 1
; CHECK-NEXT: local_load=1 : %l =
; CHECK-NEXT: global_load=8 global_uniform=8 : %next =
; CHECK-NEXT: global_load=4 global_uniform=4 : %chased =
; CHECK-NEXT: shared_load=4 shared_uniform=4 : %chosen =
; CHECK-NEXT: global_load=4 uncounted: generic pointer of unknown space (its bytes are counted as global) : %mixed =
; CHECK-NEXT: global_load=4 global_uniform=4 : %from.number =
; CHECK-NEXT: global_load=8 global_uniform=8 : %member =
; CHECK-NEXT: global_load=4 global_uniform=4 : %from.member =
; CHECK-NEXT: shared_load=4 shared_uniform=4 : %from.shared =
; CHECK-NEXT: integer=1 : %sum =
; CHECK-NEXT: global_load=4 uncounted: generic pointer of unknown space (its bytes are counted as global) : %from.sum =
; CHECK-NEXT: global_load=4 uncounted: generic pointer of unknown space (its bytes are counted as global) : %from.half =
; CHECK-NEXT: global_atomic=4 fp32_accumulate=1 : %old =
; CHECK-NEXT: shared_atomic=8 atomic_op=1 : %swap =
; CHECK-NEXT: global_load=64 global_uniform=64 global_store=64 global_uniform=64 : call void @llvm.memcpy
; CHECK-NEXT: shared_store=32 shared_uniform=32 : call void @llvm.memset
; CHECK-NEXT: uncounted: call of llvm.memcpy.p0.p0.i64 (its length is not known at compile time) :{{.*}}
; CHECK-NOT: {{^  [a-z]}}
define ptx_kernel void @k(ptr %p, ptr %q, ptr byval({ float, i32 }) %s.arg, i1 %which, i64 %n) {
  %local = alloca [8 x i32]
  %a = load float, ptr %p
  store <4 x float> zeroinitializer, ptr %q
  %s.pointer = getelementptr float, ptr addrspacecast (ptr addrspace(3) @shared to ptr), i64 %n
  %s = load float, ptr %s.pointer
  store double 0.0, ptr addrspace(3) @shared
  %c = load float, ptr addrspacecast (ptr addrspace(4) @constant to ptr)
  %byval = load float, ptr %s.arg
  %t = load half, ptr addrspacecast (ptr addrspace(1) @table to ptr)
  %l.pointer = getelementptr i8, ptr %local, i64 %n
  store i32 1, ptr %l.pointer
  %l = load i8, ptr %local
  %next = load ptr, ptr %p
  %chased = load float, ptr %next
  %choice = select i1 %which, ptr %s.pointer, ptr addrspacecast (ptr addrspace(3) @shared to ptr)
  %chosen = load float, ptr %choice
  %unclear = select i1 %which, ptr %s.pointer, ptr %p
  %mixed = load float, ptr %unclear
  %number.pointer = inttoptr i64 %n to ptr
  %from.number = load float, ptr %number.pointer
  %member = load i64, ptr %p
  %member.pointer = inttoptr i64 %member to ptr
  %from.member = load float, ptr %member.pointer
  %shared.number = ptrtoint ptr %s.pointer to i64
  %shared.pointer = inttoptr i64 %shared.number to ptr
  %from.shared = load float, ptr %shared.pointer
  %sum = add i64 %shared.number, %n
  %sum.pointer = inttoptr i64 %sum to ptr
  %from.sum = load float, ptr %sum.pointer
  %half = trunc i64 %member to i32
  %half.pointer = inttoptr i32 %half to ptr
  %from.half = load float, ptr %half.pointer
  %old = atomicrmw fadd ptr %p, float 1.0 monotonic
  %swap = cmpxchg ptr addrspace(3) @shared, i64 0, i64 1 monotonic monotonic
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 64, i1 false)
  call void @llvm.memset.p3.i64(ptr addrspace(3) @shared, i8 0, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p3.i64(ptr addrspace(3), i8, i64, i1)
