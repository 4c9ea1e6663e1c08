; The selection of counted kernels: all; those named by a pragma; those with
; a matching demangled name. Ignored kernels and parts are never counted.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<cpu>' -S %s | %FileCheck %s --check-prefix=ALL
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<cpu;annotated>' -S %s | %FileCheck %s --check-prefix=ANNOTATED
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<cpu;filter=^plain.int>' -S %s | %FileCheck %s --check-prefix=FILTER
target triple = "nvptx64-nvidia-cuda"
@.a = private unnamed_addr constant [19 x i8] c"name=a\09kind=device\00"
@.i = private unnamed_addr constant [12 x i8] c"kind=ignore\00"

; ALL: gpuprof-sheet\091\0Aregion\090\09-\09name=a\09kind=device\0A
; ALL-SAME: kernel\090\09_Z5plaini\09groups=16\0Acost\090\090\09-\09-\090\09integer=1\0A
; ALL-SAME: kernel\091\09_Z9annotatedi\09groups=16\0Acost\091\090\090\09-\090\09integer=1\0A
; ALL-SAME: kernel\092\09_Z6partlyi\09groups=16\0Acost\092\090\09-\09-\090\09integer=1\0A
; ALL-SAME: end\0A
; ANNOTATED: gpuprof-sheet\091\0Aregion\090\09-\09name=a\09kind=device\0A
; ANNOTATED-SAME: kernel\090\09_Z9annotatedi\09groups=16\0Acost\090\090\090\09-\090\09integer=1\0Aend\0A
; FILTER: gpuprof-sheet\091\0Akernel\090\09_Z5plaini\09groups=16\0Acost\090\090\09-\09-\090\09integer=1\0Aend\0A
define ptx_kernel void @_Z5plaini(i32 %n) {
  %x = add i32 %n, 1
  ret void
}
define ptx_kernel void @_Z9annotatedi(i32 %n) {
  %s = alloca i32
  %1 = call i32 @__gpuprof_enter(ptr @.a)
  store i32 %1, ptr %s
  %x = add i32 %n, 1
  call void @__gpuprof_exit(ptr %s)
  ret void
}
define ptx_kernel void @_Z7ignoredi(i32 %n) {
  %s = alloca i32
  %1 = call i32 @__gpuprof_enter(ptr @.i)
  store i32 %1, ptr %s
  %x = add i32 %n, 1
  call void @__gpuprof_exit(ptr %s)
  ret void
}
define ptx_kernel void @_Z6partlyi(i32 %n) {
  %s = alloca i32
  %x = add i32 %n, 1
  %1 = call i32 @__gpuprof_enter(ptr @.i)
  store i32 %1, ptr %s
  %y = add i32 %n, 2
  call void @__gpuprof_exit(ptr %s)
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
