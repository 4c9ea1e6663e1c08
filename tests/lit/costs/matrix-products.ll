; Matrix products of every shape and type of this LLVM: one thread's share of 2·m·n·k.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-intrinsics>' -disable-output %s > %t
; RUN: %py %S/Inputs/matrix_products.py < %t | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: instead of
; CHECK: products: {{[1-9][0-9][0-9]}}
