; Every intrinsic of this LLVM possible in device code has a row: all of NVVM, and all others but
; families without arithmetic, conversions or memory accesses, and families of other targets.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-intrinsics>' -disable-output %s > %t
; RUN: grep -c '^llvm.nvvm.' %t | %FileCheck --check-prefix=NVVM %s
; RUN: sed -n 's/^llvm.//;s/: no row//p' %t > %t.missing
; RUN: sed -E -f %S/Inputs/other-intrinsics.sed %t.missing | %FileCheck --check-prefix=MISSING --allow-empty %s
; RUN: %FileCheck --check-prefix=FAMILIES %s < %t.missing
target triple = "nvptx64-nvidia-cuda"

; NVVM: {{^[1-9][0-9][0-9][0-9]$}}
; MISSING-NOT: {{.}}
; FAMILIES: coro.id
; FAMILIES: objc.retain
