; Old libraries lack the function called by x86 code for rounding to bfloat.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-bfloat-rounding -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=verify -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: @__truncsfbf2
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: define linkonce_odr hidden bfloat @__truncsfbf2(float
define bfloat @narrow(float %x) {
  %r = fptrunc float %x to bfloat
  ret bfloat %r
}
