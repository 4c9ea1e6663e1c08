; Markers become calls of the runtime; equal descriptions share one site; nothing of the markers is left.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-host -S %s | %FileCheck %s --implicit-check-not=__gpuprof_enter --implicit-check-not=__gpuprof_exit
target triple = "x86_64-pc-linux-gnu"

@.a = private unnamed_addr constant [17 x i8] c"name=a\09kind=host\00"
@.a2 = private unnamed_addr constant [17 x i8] c"name=a\09kind=host\00"
@.b = private unnamed_addr constant [17 x i8] c"name=b\09kind=host\00"

; CHECK: [[A:@[0-9]+]] = private unnamed_addr constant [17 x i8] c"name=a\09kind=host\00"
; CHECK: @__gpuprof_site = internal global { ptr, ptr } { ptr [[A]], ptr null }
; CHECK: [[B:@[0-9]+]] = private unnamed_addr constant [17 x i8] c"name=b\09kind=host\00"
; CHECK: [[SITE_B:@__gpuprof_site.*]] = internal global { ptr, ptr } { ptr [[B]], ptr null }
; CHECK-NOT: internal global { ptr, ptr }

; CHECK-LABEL: define void @f(
define void @f() {
  ; CHECK: [[T:%.*]] = call i32 @__gpuprof_region_enter(ptr @__gpuprof_site)
  ; CHECK-NEXT: store i32 [[T]], ptr %scope
  ; CHECK-NEXT: [[OLD:%.*]] = load i32, ptr %scope
  ; CHECK-NEXT: call void @__gpuprof_region_exit(i32 [[OLD]])
  %scope = alloca i32
  %token = call i32 @__gpuprof_enter(ptr @.a)
  store i32 %token, ptr %scope
  call void @__gpuprof_exit(ptr %scope)
  ret void
}
; CHECK-LABEL: define void @g(
define void @g() {
  ; CHECK: call i32 @__gpuprof_region_enter(ptr [[SITE_B]])
  ; CHECK: call i32 @__gpuprof_region_enter(ptr @__gpuprof_site)
  %1 = call i32 @__gpuprof_enter(ptr @.b)
  %2 = call i32 @__gpuprof_enter(ptr @.a2)
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
