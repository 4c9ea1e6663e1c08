; A kernel's own region holds all of it, with the compiler's code before the marker and after the exit.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,print<gpuprof-regions>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@.k = private unnamed_addr constant [19 x i8] c"name=k\09kind=kernel\00"
@.a = private unnamed_addr constant [19 x i8] c"name=a\09kind=device\00"

; CHECK-LABEL: regions of k:
; CHECK-NEXT: k:{{.*}}%n.addr = alloca
; CHECK-NEXT: k:{{.*}}store i32 %n
; CHECK-NEXT: k/a:{{.*}}%x =
; CHECK-NEXT: k:{{.*}}%y =
; CHECK-NEXT: k:{{.*}}ret void
define ptx_kernel void @k(i32 %n) {
  %n.addr = alloca i32
  %k = alloca i32
  %a = alloca i32
  store i32 %n, ptr %n.addr
  %1 = call i32 @__gpuprof_enter(ptr @.k)
  store i32 %1, ptr %k
  %2 = call i32 @__gpuprof_enter(ptr @.a)
  store i32 %2, ptr %a
  %x = add i32 %n, 1
  call void @__gpuprof_exit(ptr %a)
  call void @__gpuprof_exit(ptr %k)
  %y = add i32 %n, 2
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
