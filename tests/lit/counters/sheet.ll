; The cost sheet: regions, kernels, costs by group and region, and uncounted work.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<cpu>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@.k = private unnamed_addr constant [55 x i8] c"name=k\09kind=kernel\09file=/src/a.cu\09line=7\09phase=forward\00"
@.a = private unnamed_addr constant [46 x i8] c"name=k.loop\09kind=device\09file=/src/a.cu\09line=9\00"

; CHECK: @__gpuprof_sheet = internal addrspace(1) constant [{{[0-9]+}} x i8] c"gpuprof-sheet\091\0A
; CHECK-SAME: file\090\09/src/a.cu\0A
; CHECK-SAME: region\090\09-\09name=k\09kind=kernel\09file=/src/a.cu\09line=7\09phase=forward\0A
; CHECK-SAME: region\091\090\09name=k.loop\09kind=device\09file=/src/a.cu\09line=9\0A
; CHECK-SAME: kernel\090\09k\09groups=16\09file=0\09line=7\0A
; CHECK-SAME: cost\090\090\090\09-\090\09compare=1\0A
; CHECK-SAME: cost\090\091\091\09-\090\09fp32_mul=1\09global_load=4\09global_store=4\09global_uniform=8{{(.09lanes_[a-z_]+=[0-9]+)*}}\0A
; CHECK-SAME: cost\090\092\090\09-\090\09integer=1\09compare=1\0A
; CHECK-SAME: uncounted\090\091\09-\090\09inline asm \22foo.bar\22\09not in the table of PTX instructions\0A
; CHECK-SAME: kernel\091\09second\09groups=16\0A
; CHECK-SAME: cost\091\090\09-\09-\090\09global_store=4\09global_uniform=4{{(.09lanes_[a-z_]+=[0-9]+)*}}\0A
; CHECK-SAME: end\0A"
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  %k = alloca i32
  %a = alloca i32
  %in.k = call i32 @__gpuprof_enter(ptr @.k)
  store i32 %in.k, ptr %k
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %out
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br i1 %any, label %body, label %latch
body:
  %in.a = call i32 @__gpuprof_enter(ptr @.a)
  store i32 %in.a, ptr %a
  %x = load float, ptr %p
  %y = fmul float %x, 2.0
  store float %y, ptr %p
  call void asm sideeffect "foo.bar;", ""()
  call void @__gpuprof_exit(ptr %a)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  call void @__gpuprof_exit(ptr %k)
  ret void
}
define ptx_kernel void @second(ptr %p) {
  store i32 0, ptr %p
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
