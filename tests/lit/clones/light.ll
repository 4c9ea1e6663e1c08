; Control flow of memory provably not written by the kernel: the clone reads it, and its result is not remembered.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
@limit = internal addrspace(4) externally_initialized global i32 0

; CHECK: clone\090\09light\092\090:0:8\0A
; CHECK-SAME: clone\091\09light\092\090:0:8\0A
; CHECK-SAME: clone\092\09light\091\0A
; CHECK: define ptx_kernel void @"no_alias$gpuprof_count"
; CHECK: load float
; CHECK-NOT: store float
; CHECK: ret void
define ptx_kernel void @no_alias(ptr noalias %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr float, ptr %in, i64 %w
  %v = load float, ptr %p
  %on = fcmp ogt float %v, 0.0
  br i1 %on, label %then, label %end
then:
  store float %v, ptr %out
  br label %end
end:
  ret void
}

; The program's promise by an invariant load (ldg).
define ptx_kernel void @invariant(ptr %in, ptr %out) {
  %v = load i32, ptr %in, !invariant.load !0
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store float 0.0, ptr %out
  br label %end
end:
  ret void
}

; Constant memory: no kernel writes it, but the program does.
define ptx_kernel void @constant(ptr %out) {
  %v = load i32, ptr addrspace(4) @limit
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store float 0.0, ptr %out
  br label %end
end:
  ret void
}
!0 = !{}
