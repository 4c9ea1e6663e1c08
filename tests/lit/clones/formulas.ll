; The formula of a free clone: its control flow as text, from which the runtime finds the counts of a launch. With
; count=clone there is none, nor for control flow that depends on floating-point numbers.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=formula>,verify' -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=formula;remarks>' -disable-output -pass-remarks=gpuprof %s 2>&1 | %FileCheck --check-prefix=SAID %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone>,verify' -S %s | %FileCheck --check-prefix=CLONE %s
; SAID: kernel guard is counted by 2 counters, 0 regions, by a formula with {{[0-9]+}} instructions; where it cannot tell, in a clone with {{[0-9]+}} instructions of its own, once for each configuration
; SAID: kernel scaled is counted by {{.*}} in a clone with {{.*}}, once for each configuration; it has no formula, since it
; CLONE-NOT: formula\09
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; CHECK: clone\090\09free\092\091:0:4\0A
; CHECK-SAME: formula\090\09param 32 1 0;ctaid_x;ntid_x;mul 32 1 2;tid_x;add 32 3 4;slt 32 5 0;{{[^\\]*}}count 0 #1;count 1 {{[0-9]+}};end\0A
; CHECK-NOT: formula\091
; CHECK-SAME: formula\092\09tid_x;slt 32 0 #7;{{[^\\]*}};end\0A
; CHECK: define ptx_kernel void @guard
; CHECK-NOT: gpuprof.formula
; CHECK-NOT: $gpuprof_formula
define ptx_kernel void @guard(ptr %x, i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %f = mul i32 %b, %s
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %f, %t
  %in = icmp slt i32 %i, %n
  br i1 %in, label %work, label %out
work:
  %w = sext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load float, ptr %p
  %d = fadd float %v, 1.0
  store float %d, ptr %p
  br label %out
out:
  ret void
}

define ptx_kernel void @scaled(ptr %x, float %a) {
entry:
  %some = fcmp ogt float %a, 0.0
  br i1 %some, label %work, label %out
work:
  %v = load float, ptr %x
  %d = fadd float %v, %a
  store float %d, ptr %x
  br label %out
out:
  ret void
}

define ptx_kernel void @statement(ptr %x) {
entry:
  %t = call i32 asm sideeffect "mov.u32 $0, %tid.x;", "=r"()
  %some = icmp slt i32 %t, 7
  br i1 %some, label %work, label %out
work:
  %v = load float, ptr %x
  %d = fadd float %v, 1.0
  store float %d, ptr %x
  br label %out
out:
  ret void
}
