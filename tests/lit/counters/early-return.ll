; In a kernel with a barrier each exit counts for itself: at a common block finished threads
; and waiting threads would wait for each other. Without a barrier one place suffices.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @barrier(
; CHECK-COUNT-2: ret void
; CHECK-LABEL: define ptx_kernel void @plain(
; CHECK-COUNT-1: ret void
; CHECK-NOT: ret void
define ptx_kernel void @barrier(ptr %p, i1 %c) "target-cpu"="sm_90" {
  br i1 %c, label %out, label %work
work:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 0, ptr %p
  br label %out
out:
  ret void
}
define ptx_kernel void @plain(ptr %p, i1 %c) "target-cpu"="sm_90" {
  br i1 %c, label %out, label %work
work:
  store i32 0, ptr %p
  br label %out
out:
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
