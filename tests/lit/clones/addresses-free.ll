; A kernel with addresses of ids and arguments only: its clone only marks. It has no load, store or loop, since
; accesses at even distances are marked at once. It only adds to its pointers: the sheet has an @ for them.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<unique=auto;count=clone>,verify' -S %s -o %t
; RUN: %FileCheck --input-file=%t %s
; RUN: sed -n '/^define.*gpuprof_addresses"/,/^}/p' %t | %FileCheck --check-prefix=CLONE --implicit-check-not=load --implicit-check-not=store --implicit-check-not=phi %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<unique=off;count=clone>,verify' -S %s -o %t.off
; RUN: sed -n '/^define.* @loop(/,/^}/p' %t >%t.kernel
; RUN: sed -n '/^define.* @loop(/,/^}/p' %t.off | cmp - %t.kernel
; RUN: ! grep -q 'gpuprof_addresses\|__gpuprof_record_access' %t.off
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: addresses\090\09free\094\090:0:4\09@2:0:8\09@3:0:8\0A
; CHECK-NOT: gpuprof_unique"
define ptx_kernel void @loop(i32 %n, float %a, ptr %x, ptr %y) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %t, %n
  br i1 %some, label %head, label %out
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %w = sext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load float, ptr %p
  %s = fadd float %v, %a
  %column = mul nsw i64 %w, 1024
  %q = getelementptr float, ptr %y, i64 %column
  store float %s, ptr %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %head, label %out
out:
  ret void
}

; CLONE: define ptx_kernel void @"loop$gpuprof_addresses"(i32 %n, float %a, ptr %x, ptr %y, i64 [[TABLE:%.*]])
; CLONE: [[COUNT:%.*]] = add {{.*}}i64
; CLONE: call void @__gpuprof_record_access_strided(i64 [[TABLE]], ptr %x, i64 4, i64 [[COUNT]], i64 4)
; CLONE: call void @__gpuprof_record_access_strided(i64 [[TABLE]], ptr %y, i64 4096, i64 [[COUNT]], i64 4)
; CLONE: ret void
