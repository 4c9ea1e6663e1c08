; A function for other units has a variable beside it; linkers search archives for the variable.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-archive-members -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=verify -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: .defined
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @"shared$gpuprof.defined" = hidden global ptr @"shared$gpuprof"
define void @"shared$gpuprof"() {
  ret void
}
