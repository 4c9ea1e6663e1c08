; Inline PTX counts as IR does; unreadable text is named.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of k:
; CHECK-NEXT: fp16_mul=2 : %half2 =
; CHECK-NEXT: bf16_fma=2 : %bfloat2 =
; CHECK-NEXT: fp32_fma=1 : %float =
; CHECK-NEXT: fp64_add=1 : %double =
; CHECK-NEXT: integer=1 : %integer =
; CHECK-NEXT: special=1 : %special =
; CHECK-NEXT: fp32_div=1 : %reciprocal =
; CHECK-NEXT: convert=1 fp16_add=1 convert=1 : %several =
; CHECK-NEXT: global_load=16 : %load =
; CHECK-NEXT: shared_store=4 : call void asm sideeffect "st.shared
; CHECK-NEXT: global_atomic=4 atomic_op=1 : %atomic =
; CHECK-NEXT: tensor_bf16=128 mma_sync_bf16=128 : %matrix =
; CHECK-NEXT: tensor_fp16=1024 : call void asm sideeffect "wgmma
; CHECK-NEXT: global_load=16 shared_store=16 : call void asm sideeffect "cp.async
; CHECK-NEXT: shared_load=16 : %rows =
; CHECK-NEXT: fp32_add=1 uncounted: inline asm "add.f32" (counted as if its predicate were true, since the operands of the asm do not determine it: an upper bound) : %maybe =
; CHECK-NEXT: uncounted: inline asm "foo.bar.f32" (not in the table of PTX instructions) : %foo =
; CHECK-NEXT: uncounted: inline asm "{ L: add.f32 x, x, x; bra L; }" (a label is not straight-line PTX: none of its work is counted) : call void asm{{.*}}
; CHECK-NOT: {{^  [a-z]}}
define ptx_kernel void @k(i32 %i, float %f, double %d, ptr %p) {
  %mask = call i32 asm sideeffect "activemask.b32 $0;", "=r"()
  %half2 = call i32 asm "{mul.f16x2 $0,$1,$2;\0A}", "=r,r,r"(i32 %i, i32 %i)
  %bfloat2 = call i32 asm "{ fma.rn.bf16x2 $0,$1,$2,$3;}", "=r,r,r,r"(i32 %i, i32 %i, i32 %i)
  %float = call float asm "fma.rn.ftz.f32 $0,$1,$2,$3;", "=f,f,f,f"(float %f, float %f, float %f)
  %double = call double asm "add.f64 $0, $1, $1;", "=d,d"(double %d)
  %integer = call i32 asm "add.u32 $0, $1, $1; // a comment; sub.u32", "=r,r"(i32 %i)
  %special = call float asm "ex2.approx.ftz.f32 $0, $1;", "=f,f"(float %f)
  %reciprocal = call float asm "rcp.rn.f32 $0, $1;", "=f,f"(float %f)
  %several = call i16 asm "{ .reg .f32 a; .reg .f16 b; cvt.rn.f16.f32 b, $1; add.f16 b, b, b; cvt.f32.f16 a, b; mov.b16 $0, b; }", "=h,f"(float %f)
  %load = call { i32, i32, i32, i32 } asm "ld.global.nc.L2::128B.v4.u32 {$0,$1,$2,$3}, [$4];", "=r,=r,=r,=r,l"(ptr %p)
  call void asm sideeffect "st.shared.b32 [$0+4], $1;", "r,r"(i32 %i, i32 %i)
  %atomic = call i32 asm sideeffect "atom.global.add.u32 $0, [$1], $2;", "=r,l,r"(ptr %p, i32 %i)
  %matrix = call float asm "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {$0,$0,$0,$0}, {$1,$1,$1,$1}, {$1,$1}, {$2,$2,$2,$2};", "=f,r,f"(i32 %i, float %f)
  call void asm sideeffect "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0}, $0, $0, 1, 1, 1, 0, 0;", "r"(i32 %i)
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16;", "r,l"(i32 %i, ptr %p)
  call void asm sideeffect "cp.async.wait_group 0;", ""()
  %rows = call i32 asm "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0,$0,$0,$0}, [$1];", "=r,r"(i32 %i)
  %maybe = call float asm "{ .reg .pred p; @p add.f32 $0, $1, $1; }", "=f,f"(float %f)
  %foo = call float asm "foo.bar.f32 $0, $1;", "=f,f"(float %f)
  call void asm sideeffect "{ L: add.f32 x, x, x; bra L; }", ""()
  ret void
}
