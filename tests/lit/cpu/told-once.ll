; One call records neighbouring accesses of unrolled loops for a row of
; threads; one call a strip records accesses equal in all its threads.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-cpu-lower<split>,verify' -S %s 2>%t.err | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @unrolled.body.cpu(
; CHECK: call void @__gpuprof_cpu_record_row(ptr %{{.*}}, i64 64, i64 %{{.*}}, i64 16)
; The last lies more than a sector behind the others.
; CHECK: call void @__gpuprof_cpu_record_row(ptr %{{.*}}, i64 64, i64 %{{.*}}, i64 4)
; CHECK-NOT: call void @__gpuprof_cpu_record_row(
; CHECK: fadd
define ptx_kernel void @unrolled(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %a = getelementptr [16 x float], ptr addrspace(1) %p, i64 %t64
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr i8, ptr addrspace(1) %a, i64 12
  %d = getelementptr i8, ptr addrspace(1) %a, i64 56
  %x = load float, ptr addrspace(1) %b
  %y = load float, ptr addrspace(1) %a
  %z = load float, ptr addrspace(1) %c
  %s = fadd float %x, %y
  %r = fadd float %s, %z
  store float %r, ptr addrspace(1) %d
  ret void
}

; CHECK-LABEL: define internal void @alike.body.cpu(
; CHECK: entry.strip{{.*}}:
; CHECK: call void @__gpuprof_cpu_record_row(ptr %{{.*}}, i64 4, i64 %{{.*}}, i64 4)
; CHECK-NOT: call void @__gpuprof_cpu_record_row(
; CHECK: fadd <16 x float>
define ptx_kernel void @alike(ptr addrspace(1) %in, ptr addrspace(3) %by, ptr addrspace(1) %out, i32 %n) {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = zext i32 %block to i64
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %n64 = sext i32 %n to i64
  br label %loop
loop:
  %r = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = add i64 %first, %r
  %a = getelementptr float, ptr addrspace(1) %in, i64 %at
  %x = load float, ptr addrspace(1) %a
  %w = getelementptr float, ptr addrspace(3) %by, i64 %t64
  %y = load float, ptr addrspace(3) %w
  %xy = fmul float %x, %y
  %more = fadd float %sum, %xy
  %next = add i64 %r, 1
  %again = icmp slt i64 %next, %n64
  br i1 %again, label %loop, label %end
end:
  %o = getelementptr float, ptr addrspace(1) %out, i64 %t64
  store float %more, ptr addrspace(1) %o
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
