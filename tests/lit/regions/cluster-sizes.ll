; The front end's note of __cluster_dims__ becomes the attribute printed by LLVM into PTX; other annotations stay.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cluster-sizes,verify -S %s | %FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@two = private constant [27 x i8] c"gpuprof.cluster_size=2,1,1\00", section "llvm.metadata"
@user = private constant [5 x i8] c"user\00", section "llvm.metadata"
@file = private constant [5 x i8] c"a.cu\00", section "llvm.metadata"
; CHECK: @llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @other, ptr @user,
; CHECK-SAME: section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @two, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @other, ptr @user, ptr @file, i32 2, ptr null }], section "llvm.metadata"

; CHECK: define ptx_kernel void @kernel() [[CLUSTER:#[0-9]+]]
define ptx_kernel void @kernel() {
  ret void
}
; CHECK: define ptx_kernel void @other() {
define ptx_kernel void @other() {
  ret void
}
; CHECK: attributes [[CLUSTER]] = { "nvvm.cluster_dim"="2,1,1" }
