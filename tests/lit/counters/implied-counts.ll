; The sides of a branch need one counter less than there are sides, if the branch has one: the last count is a sum or a
; difference, at the end of the thread.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=inkernel>,verify' -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=blocks>,verify' -S %s | %FileCheck --check-prefix=BLOCKS %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @sides(
; CHECK: turn:
; CHECK-NOT: add i64
; CHECK: yes:
; CHECK-NEXT: [[YES:%.*]] = add i64 {{.*}}, 1
; CHECK: no:
; CHECK-NEXT: [[NO:%.*]] = add i64 {{.*}}, 1
; CHECK: join:
; CHECK: [[ALL_NO:%.*]] = phi i64 {{.*}}[[NO]], %no
; CHECK: [[ALL_YES:%.*]] = phi i64 [ [[YES]], %yes
; CHECK: out:
; CHECK: [[TURNS:%.*]] = add i64 [[ALL_YES]], [[ALL_NO]]
; CHECK: call void asm sideeffect "{{.*}}", "l,r,l,l,l"(i64 {{.*}}, i32 1, i64 [[TURNS]], i64 [[ALL_YES]], i64 [[ALL_NO]])
; BLOCKS: turn:
; BLOCKS: add i64
; BLOCKS: yes:
; BLOCKS-NEXT: add i64
; BLOCKS: no:
; BLOCKS-NEXT: add i64
define ptx_kernel void @sides(ptr %p) "target-cpu"="sm_90" {
entry:
  br label %turn
turn:
  %x = load volatile i32, ptr %p
  %c = icmp slt i32 %x, 7
  br i1 %c, label %yes, label %no
yes:
  store volatile i32 1, ptr %p
  br label %join
no:
  store volatile i64 2, ptr %p
  br label %join
join:
  %d = icmp eq i32 %x, 9
  br i1 %d, label %turn, label %out
out:
  ret void
}

; A side that may end the thread leaves none of the counts to be inferred.
; CHECK-LABEL: define ptx_kernel void @ends(
; CHECK: yes:
; CHECK-NEXT: add i64
; CHECK: no:
; CHECK-NEXT: add i64
define ptx_kernel void @ends(ptr %p) "target-cpu"="sm_90" {
entry:
  br label %turn
turn:
  %x = load volatile i32, ptr %p
  %c = icmp slt i32 %x, 7
  br i1 %c, label %yes, label %no
yes:
  store volatile i32 1, ptr %p
  call void asm sideeffect "exit;", ""()
  br label %join
no:
  store volatile i64 2, ptr %p
  br label %join
join:
  %d = icmp eq i32 %x, 9
  br i1 %d, label %turn, label %out
out:
  ret void
}
