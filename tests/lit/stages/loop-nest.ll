; The entry of a body for one thread has the same loop nest as bodies for all threads: z, y, x.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s | %FileCheck --check-prefixes=CHECK,ENTRY %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-cpu-lower<split>' -S %s | %FileCheck --check-prefixes=CHECK,BODY %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; ENTRY-LABEL: define internal void @k.block(
; BODY-LABEL: define internal void @k.body.cpu(
; CHECK: z:
; CHECK-NEXT: [[Z:%.*]] = phi i32 [ 0, {{.*}} ], [ [[ZNEXT:%.*]], %z.end ]
; CHECK: y:
; CHECK-NEXT: [[Y:%.*]] = phi i32 [ 0, %z ], [ [[YNEXT:%.*]], %y.end ]
; CHECK: %row = mul nuw nsw i64
; CHECK: x:
; CHECK-NEXT: [[X:%.*]] = phi i32 [ 0, {{.*}} ], [ [[XNEXT:%.*]], %x.end ]
; CHECK: %thread{{[0-9]*}} = add nuw nsw i64 {{.*}}, %row
; CHECK: [[ZNEXT]] = add nuw nsw i32 [[Z]], 1
; CHECK: [[YNEXT]] = add nuw nsw i32 [[Y]], 1
; CHECK: [[XNEXT]] = add nuw nsw i32 [[X]], 1
; CHECK-NEXT: icmp ne i32 [[XNEXT]],
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 1, ptr addrspace(1) %at
  ret void
}
