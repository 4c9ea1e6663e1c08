; With -fgpu-rdc the descriptor's name ends with the unit's id. A function callable by other units has
; an instance counting at a given address. A call of another unit's function passes the address left
; by the runtime behind the counters. The weak instance serves a unit compiled without the plugin.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count' -S %s -o %t
; RUN: %FileCheck %s < %t
; Else the call is uncounted.
; RUN: sed s/__static__17// %s > %t.one.ll
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count' -S %t.one.ll -o %t.one
; RUN: %FileCheck --check-prefix=ONE --implicit-check-not='$gpuprof' %s < %t.one
target triple = "nvptx64-nvidia-cuda"
@_ZL14__gpuprof_unit__static__17 = external addrspace(1) global [32 x i8]
@r = private constant [23 x i8] c"name=loop\09kind=device\00\00"

; CHECK: region\090\09-\09name=loop\09kind=device\0A
; CHECK-SAME: kernel\090\09k\09groups=16\0A
; CHECK-SAME: call\090\090\09theirs\0A
; CHECK-SAME: call\090\09-\09theirs\0A
; CHECK-SAME: function\091\09ours\09groups=16\0A
; CHECK-SAME: cost\091\090\09-\09-\090\09fp32_mul=1\0A
; ONE: uncounted\090\090\09-\090\09call of theirs\09its body is not in this translation unit

; CHECK: define ptx_kernel void @k(
; Behind 512 slots of 16 counters, the first address and the second.
; CHECK: %[[PLACE:.*]] = add i64 %[[BASE:.*]], 65536
; CHECK: load i64
; CHECK: %[[FIRST:.*]] = phi i64
; CHECK: call float @"theirs$gpuprof"(float %v, i64 %[[FIRST]])
; CHECK: add i64 %{{.*}}, 65544
; CHECK: call float @"theirs$gpuprof"(float %{{.*}}, i64 %{{.*}})
define ptx_kernel void @k(float %v, ptr addrspace(1) %p) {
  %s = alloca i32
  %1 = call i32 @__gpuprof_enter(ptr @r)
  store i32 %1, ptr %s
  %x = call float @theirs(float %v)
  call void @__gpuprof_exit(ptr %s)
  %y = call float @theirs(float %x)
  store float %y, ptr addrspace(1) %p
  ret void
}
; CHECK: define float @ours(float %v) {
; CHECK-NEXT: fmul
; CHECK-NEXT: ret
define float @ours(float %v) {
  %x = fmul float %v, %v
  ret float %x
}
; CHECK: declare float @theirs(float)
declare float @theirs(float)
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
; CHECK: define weak float @"theirs$gpuprof"(float %0, i64 %1)
; CHECK: call float @theirs(float %0)
; CHECK: define float @"ours$gpuprof"(float %v, i64 %0)
; CHECK: call void asm sideeffect "{{.*}}setp.eq.b64 is, base, 0;{{.*}}red.global.add.u64 [row+0], wide;{{.*}}"l,{{.*}}(i64 %0,
; Converged threads in the function may come from different calls: each adds its own counts.
; RUN: sed 's/define float @ours(float %v) {/define float @ours(float %v) "target-cpu"="sm_90" {/' %s > %t.90.ll
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count,simplifycfg' -S %t.90.ll -o %t.90
; RUN: sed -n '/^define float @"ours$gpuprof"/,/^}/p' %t.90 | %FileCheck --check-prefix=WARP --implicit-check-not=redux %s
; WARP: define float @"ours$gpuprof"(float %v, i64 %0)
; WARP: call void asm sideeffect
; WARP-SAME: SEPARATE:
; WARP: ret float
