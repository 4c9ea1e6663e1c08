; Kernel bodies are inlined into their callers.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-inline-bodies -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: @k.body.cpu
; CHECK: define void @k.thread(ptr %p)
; CHECK-NEXT: store i32 1
define internal void @k.body.cpu(ptr %p) alwaysinline {
  store i32 1, ptr %p
  ret void
}
define void @k.thread(ptr %p) {
  call void @k.body.cpu(ptr %p)
  ret void
}
