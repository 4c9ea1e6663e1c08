; Where one path has a region open and the other has not, it is not open.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,print<gpuprof-regions>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@.a = private unnamed_addr constant [19 x i8] c"name=a\09kind=device\00"
@.b = private unnamed_addr constant [19 x i8] c"name=b\09kind=device\00"

; CHECK-LABEL: regions of k:
; CHECK-NEXT: a:{{.*}}br i1 %c
; CHECK-NEXT: a/b:{{.*}}%one =
; CHECK-NEXT: a/b:{{.*}}br label %join
; CHECK-NEXT: a:{{.*}}br label %join
; CHECK-NEXT: a:{{.*}}%both ={{.*}}
; CHECK-LABEL: regions of other:
; CHECK: a/b:{{.*}}%one =
; CHECK: a:{{.*}}%both ={{.*}}
; CHECK-NOT: {{^  [a-z]}}
define ptx_kernel void @k(i32 %n, i1 %c) {
  %a = alloca i32
  %b = alloca i32
  %1 = call i32 @__gpuprof_enter(ptr @.a)
  store i32 %1, ptr %a
  br i1 %c, label %left, label %right
left:
  %2 = call i32 @__gpuprof_enter(ptr @.b)
  store i32 %2, ptr %b
  %one = add i32 %n, 1
  br label %join
right:
  br label %join
join:
  %both = add i32 %n, 2
  call void @__gpuprof_exit(ptr %a)
  ret void
}
define ptx_kernel void @other(i32 %n, i1 %c) {
  %a = alloca i32
  %b = alloca i32
  %1 = call i32 @__gpuprof_enter(ptr @.a)
  store i32 %1, ptr %a
  br i1 %c, label %left, label %right
left:
  br label %join
right:
  %2 = call i32 @__gpuprof_enter(ptr @.b)
  store i32 %2, ptr %b
  %one = add i32 %n, 1
  br label %join
join:
  %both = add i32 %n, 2
  call void @__gpuprof_exit(ptr %a)
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
