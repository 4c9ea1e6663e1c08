; Inlining puts the callee's regions inside those of the call.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,cgscc(inline),print<gpuprof-regions>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@.inner = private unnamed_addr constant [23 x i8] c"name=inner\09kind=device\00"
@.outer = private unnamed_addr constant [23 x i8] c"name=outer\09kind=device\00"

define internal float @leaf(float %x) alwaysinline {
  %in.leaf = fadd float %x, 3.0
  ret float %in.leaf
}

define internal float @callee(float %x) alwaysinline {
  %s = alloca i32
  %1 = call i32 @__gpuprof_enter(ptr @.inner)
  store i32 %1, ptr %s
  %in.callee = fmul float %x, 2.0
  %y = call float @leaf(float %in.callee)
  call void @__gpuprof_exit(ptr %s)
  ret float %y
}

; CHECK-LABEL: regions of k:
; CHECK-NEXT: outer/inner:{{.*}}fmul
; CHECK-NEXT: outer/inner:{{.*}}fadd
; CHECK-NEXT: outer:{{.*}}store float
; CHECK-NEXT: inner:{{.*}}fmul
; CHECK-NEXT: inner:{{.*}}fadd{{.*}}
; CHECK-NOT: {{^  [a-z]}}
define ptx_kernel void @k(ptr %p, float %x) {
  %s = alloca i32
  %1 = call i32 @__gpuprof_enter(ptr @.outer)
  store i32 %1, ptr %s
  %y = call float @callee(float %x)
  store float %y, ptr %p
  call void @__gpuprof_exit(ptr %s)
  %z = call float @callee(float %y)
  store float %z, ptr %p
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
