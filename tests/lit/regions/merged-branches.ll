; Equal instructions of sibling regions, merged by the optimiser before or behind
; the branches, count for the enclosing region; other instructions stay in theirs.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,function(simplifycfg<hoist-common-insts;sink-common-insts>),gpuprof-count<cpu>' -S %s -o - | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@k.r = private constant [26 x i8] c"name=around\09kind=device\00\00\00"
@a.r = private constant [21 x i8] c"name=a\09kind=device\00\00\00"
@b.r = private constant [21 x i8] c"name=b\09kind=device\00\00\00"

; The fmul of both branches is before them, the fadd behind; the fdiv and the sqrt are the branches' own.
; CHECK: region\090\09-\09name=around\09kind=device\0A
; CHECK-SAME: region\091\090\09name=a\09kind=device\0A
; CHECK-SAME: region\092\090\09name=b\09kind=device\0A
; CHECK-SAME: cost\090\090\090\09-\090\09fp32_add=1\09fp32_mul=1\0A
; CHECK-SAME: cost\090\091\091\09-\090\09fp32_div=1
; CHECK-SAME: cost\090\092\092\09-\090\09fp32_sqrt=1
define ptx_kernel void @k(float %v, i1 %c, ptr addrspace(1) %p) {
entry:
  %s = alloca i32
  %sa = alloca i32
  %sb = alloca i32
  %enter1 = call i32 @__gpuprof_enter(ptr @k.r)
  store i32 %enter1, ptr %s
  br i1 %c, label %then, label %else
then:
  %enter2 = call i32 @__gpuprof_enter(ptr @a.r)
  store i32 %enter2, ptr %sa
  %xa = fmul float %v, 1.5
  %ya = fdiv float %xa, 3.0
  %za = fadd float %ya, %v
  call void @__gpuprof_exit(ptr %sa)
  br label %end
else:
  %enter3 = call i32 @__gpuprof_enter(ptr @b.r)
  store i32 %enter3, ptr %sb
  %xb = fmul float %v, 1.5
  %yb = call float @llvm.sqrt.f32(float %xb)
  %zb = fadd float %yb, %v
  call void @__gpuprof_exit(ptr %sb)
  br label %end
end:
  %z = phi float [ %za, %then ], [ %zb, %else ]
  call void @__gpuprof_exit(ptr %s)
  store float %z, ptr addrspace(1) %p
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
declare float @llvm.sqrt.f32(float)
