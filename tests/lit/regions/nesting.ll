; Each instruction is in the regions open on every path to it; no marker, string or variable survives.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,print<gpuprof-regions>' -disable-output %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-regions -S %s | %FileCheck %s --check-prefix=CLEAN --implicit-check-not=__gpuprof --implicit-check-not=alloca
target triple = "nvptx64-nvidia-cuda"

@.outer = private unnamed_addr constant [23 x i8] c"name=outer\09kind=device\00"
@.inner = private unnamed_addr constant [23 x i8] c"name=inner\09kind=device\00"
; CLEAN-NOT: @.outer
; CLEAN-NOT: @.inner
; CLEAN: define ptx_kernel void @k(

; CHECK-LABEL: regions of k:
; CHECK-NEXT: outer:{{.*}}%in.outer =
; CHECK-NEXT: outer:{{.*}}br label %loop
; CHECK-NEXT: outer:{{.*}}%i = phi
; CHECK-NEXT: outer/inner:{{.*}}%in.inner =
; CHECK-NEXT: outer/inner:{{.*}}br i1 %c
; CHECK-NEXT: outer/inner:{{.*}}%more.inner =
; CHECK-NEXT: outer/inner:{{.*}}br label %cleanup
; CHECK-NEXT: outer/inner:{{.*}}%which = phi
; CHECK-NEXT: outer:{{.*}}%next =
; CHECK-NEXT: outer:{{.*}}br i1 %which
; CHECK-NEXT: outer:{{.*}}%last =
; CHECK-NEXT: regions of plain:
define ptx_kernel void @k(i32 %n, i1 %c) {
entry:
  %outer = alloca i32
  %inner = alloca i32
  %before = add i32 %n, 1
  call void @llvm.lifetime.start.p0(i64 4, ptr %outer)
  %token.outer = call i32 @__gpuprof_enter(ptr @.outer)
  store i32 %token.outer, ptr %outer
  %in.outer = add i32 %n, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %cleanup ]
  %token.inner = call i32 @__gpuprof_enter(ptr @.inner)
  store i32 %token.inner, ptr %inner
  %in.inner = add i32 %n, 3
  br i1 %c, label %cleanup, label %more
more:
  %more.inner = add i32 %n, 4
  br label %cleanup
cleanup: ; of both ways out of the inner region
  %which = phi i1 [ true, %loop ], [ false, %more ]
  call void @__gpuprof_exit(ptr %inner)
  %next = add i32 %i, 1
  br i1 %which, label %out, label %loop
out:
  %last = add i32 %n, 5
  call void @__gpuprof_exit(ptr %outer)
  call void @llvm.lifetime.end.p0(i64 4, ptr %outer)
  %after = add i32 %n, 6
  ret void
}

define i32 @plain(i32 %n) {
  %x = add i32 %n, 1
  ret i32 %x
}

declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
