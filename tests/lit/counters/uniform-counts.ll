; A count equal in all threads of a warp is multiplied by the number of adding threads,
; and not summed; in 32 bits if the number of iterations proves them sufficient.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s | sed 's/.0A.09/\n/g' | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @uniform(
; CHECK: setp.ne.b32 part, word, -1;
; CHECK: mov.b32 sum0, $1;
; CHECK-NEXT: cvt.u64.u32 sum1, $2;
; CHECK-NEXT: @part bra PART;
; CHECK-NEXT: shl.b32 sum0, sum0, 5;
; CHECK-NEXT: shl.b64 sum1, sum1, 5;
; CHECK: PART:
; CHECK: mul.lo.u32 sum0, sum0, lanes;
; CHECK-NEXT: cvt.u64.u32 wide, lanes;
; CHECK-NEXT: mul.lo.u64 sum1, sum1, wide;
; CHECK-NEXT: mov.b32 group, begin;
; CHECK: selp.b64 wide, sum1, wide, is;
; CHECK: }", "l,r,r"(i64 %{{.*}}, i32 1, i32 %{{.*}})
; CHECK: ret void
define ptx_kernel void @uniform(ptr addrspace(1) %p, i32 %n) "target-cpu"="sm_90" {
entry:
  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %out
out:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @differs(
; CHECK: redux.sync.add.u32 sum1, sum1, -1;
; CHECK: ret void
define ptx_kernel void @differs(ptr addrspace(1) %p, i32 %n) "target-cpu"="sm_90" {
entry:
  %m = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %out
out:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
