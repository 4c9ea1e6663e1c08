; Threads of a row with equal loops of their own run in strips of
; neighbouring threads, in vectors. Divergent threads go on alone. Accesses
; far apart gain little, and atomics stay in the order of the threads.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-cpu-lower<split>,verify' -S %s -o %t
; RUN: %FileCheck %s < %t
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @columns.body.cpu(
; CHECK: phi <16 x float>
; CHECK: load <16 x float>
; CHECK: phi <4 x float>
; CHECK: strip.thread
define ptx_kernel void @columns(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %rows, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %n64 = sext i32 %n to i64
  %outside = icmp sge i32 %t, %n
  br i1 %outside, label %done, label %loop
loop:
  %r = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = mul i64 %r, %n64
  %at = add i64 %row, %t64
  %a = getelementptr float, ptr addrspace(1) %in, i64 %at
  %x = load float, ptr addrspace(1) %a
  %more = fadd float %sum, %x
  %next = add i64 %r, 1
  %again = icmp slt i64 %next, %n64
  br i1 %again, label %loop, label %end
end:
  %o = getelementptr float, ptr addrspace(1) %out, i64 %t64
  store float %more, ptr addrspace(1) %o
  br label %done
done:
  ret void
}

; The threads of a strip are of one warp, and its lanes are numbered as they are.
; CHECK-LABEL: define internal void @warps.body.cpu(
; CHECK: phi <16 x float>
; CHECK: load float
; CHECK: load <16 x float>
define ptx_kernel void @warps(ptr addrspace(3) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %t, 5
  %lane = and i32 %t, 31
  %lane64 = zext i32 %lane to i64
  %t64 = zext i32 %t to i64
  br label %loop
loop:
  %r = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %i = add i32 %r, %warp
  %i64 = zext i32 %i to i64
  %a = getelementptr float, ptr addrspace(3) %in, i64 %i64
  %x = load float, ptr addrspace(3) %a
  %b = getelementptr float, ptr addrspace(3) %a, i64 %lane64
  %y = load float, ptr addrspace(3) %b
  %xy = fmul float %x, %y
  %more = fadd float %sum, %xy
  %next = add i32 %r, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %o = getelementptr float, ptr addrspace(1) %out, i64 %t64
  store float %more, ptr addrspace(1) %o
  ret void
}

; CHECK-LABEL: define internal void @updates.body.cpu(
; CHECK-NOT: x float>
; CHECK: ret void
define ptx_kernel void @updates(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %rows, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %n64 = sext i32 %n to i64
  br label %loop
loop:
  %r = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul i64 %r, %n64
  %at = add i64 %row, %t64
  %a = getelementptr float, ptr addrspace(1) %in, i64 %at
  %x = load float, ptr addrspace(1) %a
  %old = atomicrmw fadd ptr addrspace(1) %out, float %x seq_cst
  %next = add i64 %r, 1
  %again = icmp slt i64 %next, %n64
  br i1 %again, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define internal void @scattered.body.cpu(
; CHECK-NOT: x float>
; CHECK: ret void
define ptx_kernel void @scattered(ptr addrspace(1) %in, ptr addrspace(1) %where, ptr addrspace(1) %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %n64 = sext i32 %n to i64
  br label %loop
loop:
  %r = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = phi i64 [ %t64, %entry ], [ %to, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %w = getelementptr i64, ptr addrspace(1) %where, i64 %at
  %to = load i64, ptr addrspace(1) %w
  %a = getelementptr float, ptr addrspace(1) %in, i64 %to
  %x = load float, ptr addrspace(1) %a
  %more = fadd float %sum, %x
  %next = add i64 %r, 1
  %again = icmp slt i64 %next, %n64
  br i1 %again, label %loop, label %end
end:
  %o = getelementptr float, ptr addrspace(1) %out, i64 %t64
  store float %more, ptr addrspace(1) %o
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
