; A product and a sum may be rounded at once in the kernel and not in a clone, or the other way round. Only a product
; whose value reaches a sum can be: a kernel that has both apart has a clone.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone;remarks>,verify' -pass-remarks=gpuprof -disable-output %s 2>&1 | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: kernel apart is {{.*}}, in a clone
define ptx_kernel void @apart(ptr %x, float %a, float %b) {
  %m = fmul contract float %a, %b
  %s = fadd contract float %a, %b
  %on = fcmp ogt float %s, %m
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; A division in between is rounded by itself.
; CHECK: kernel divided is {{.*}}, in a clone
define ptx_kernel void @divided(ptr %x, float %a, float %b) {
  %m = fmul contract float %a, %b
  %d = fdiv contract float %m, %a
  %s = fadd contract float %d, %b
  %on = fcmp ogt float %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; A division of less precision is made of products.
; CHECK: kernel divided_roughly is {{.*}} floating-point arithmetic that may be rounded in another way
define ptx_kernel void @divided_roughly(ptr %x, float %a, float %b) {
  %d = fdiv contract float %a, %b, !fpmath !0
  %s = fadd contract float %d, %b
  %on = fcmp ogt float %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel subtracted is {{.*}} floating-point arithmetic that may be rounded in another way
define ptx_kernel void @subtracted(ptr %x, float %a, float %b) {
  %m = fmul contract float %a, %b
  %s = fsub contract float %b, %m
  %on = fcmp ogt float %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; The remainder is a difference.
; CHECK: kernel remainder is {{.*}} floating-point arithmetic that may be rounded in another way
define ptx_kernel void @remainder(ptr %x, float %a, float %b) {
  %m = fmul contract float %a, %b
  %s = frem contract float %m, %b
  %on = fcmp ogt float %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; By its sign, by its type, by a choice and by a join.
; CHECK: kernel carried is {{.*}} floating-point arithmetic that may be rounded in another way
define ptx_kernel void @carried(ptr %x, float %a, float %b, i1 %c, i1 %d) {
entry:
  %m = fmul contract float %a, %b
  %n = fneg float %m
  %e = select i1 %c, float %n, float %a
  br i1 %d, label %one, label %join
one:
  br label %join
join:
  %p = phi float [ %e, %entry ], [ %b, %one ]
  %w = fpext float %p to double
  %s = fadd contract double %w, 3.0
  %on = fcmp ogt double %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; A sum that feeds a product is never fused with it.
; CHECK: kernel distributed is {{.*}}, in a clone
define ptx_kernel void @distributed(ptr %x, float %a, float %b) {
  %s = fadd contract float %a, %b
  %m = fmul contract float %s, %b
  %on = fcmp ogt float %m, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; ... but without infinities LLVM may multiply it out.
; CHECK: kernel multiplied_out is {{.*}} floating-point arithmetic that may be rounded in another way
define ptx_kernel void @multiplied_out(ptr %x, float %a, float %b) {
  %s = fadd contract float %a, 1.0
  %m = fmul ninf contract float %s, %b
  %on = fcmp ogt float %m, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; A product with two becomes a sum.
; CHECK: kernel doubled is {{.*}} floating-point arithmetic that may be rounded in another way
define ptx_kernel void @doubled(ptr %x, float %a, float %b) {
  %m = fmul contract float %a, %b
  %s = fmul contract float %m, 2.0
  %on = fcmp ogt float %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; Rounding half away from zero adds a half.
; CHECK: kernel half_added is {{.*}} floating-point arithmetic that may be rounded in another way
declare float @llvm.round.f32(float)
define ptx_kernel void @half_added(ptr %x, float %a, float %b) {
  %m = fmul contract float %a, %b
  %s = call float @llvm.round.f32(float %m)
  %on = fcmp ogt float %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; The machine divides roughly by multiplying.
; CHECK: kernel approximated is {{.*}} floating-point arithmetic that may be rounded in another way
declare float @llvm.nvvm.div.approx.f(float, float)
define ptx_kernel void @approximated(ptr %x, float %a, float %b) {
  %m = call float @llvm.nvvm.div.approx.f(float %a, float %b)
  %s = fadd contract float %m, %b
  %on = fcmp ogt float %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel rounded_alone is {{.*}}, in a clone
define ptx_kernel void @rounded_alone(ptr %x, float %a) {
  %s = call float @llvm.round.f32(float %a)
  %m = fmul contract float %s, 3.0
  %on = fcmp ogt float %m, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; Inline PTX: an explicit rounding mode keeps an instruction by itself, and a product that is a factor stays one.
; CHECK: kernel inline_apart is {{.*}}, in a clone
define ptx_kernel void @inline_apart(ptr %x, i32 %a, i32 %b) {
  %m = call i32 asm "{mul.f16x2 $0,$1,$2;}", "=r,r,r"(i32 %a, i32 %b)
  %f = call i32 asm "{fma.rn.f16x2 $0,$1,$2,$3;}", "=r,r,r,r"(i32 %m, i32 %m, i32 %b)
  %s = call i32 asm "{add.f16x2 $0,$1,$2;}", "=r,r,r"(i32 %f, i32 %b)
  %r = call i32 asm "{rcp.approx.ftz.f32 $0,$1;}", "=r,r"(i32 %s)
  %on = icmp eq i32 %r, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel inline_rounded is {{.*}}, in a clone
define ptx_kernel void @inline_rounded(ptr %x, float %a, float %b) {
  %m = call float asm "mul.rn.f32 $0,$1,$2;", "=f,f,f"(float %a, float %b)
  %s = call float asm "add.f32 $0,$1,$2;", "=f,f,f"(float %m, float %b)
  %on = fcmp ogt float %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel inline_fused is {{.*}} floating-point arithmetic that may be rounded in another way
define ptx_kernel void @inline_fused(ptr %x, float %a, float %b) {
  %m = fmul contract float %a, %b
  %s = call float asm "add.f32 $0,$1,$2;", "=f,f,f"(float %m, float %b)
  %on = fcmp ogt float %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel inline_moved is {{.*}} floating-point arithmetic that may be rounded in another way
define ptx_kernel void @inline_moved(ptr %x, i16 %a, i16 %b) {
  %m = call i16 asm "mul.f16 $0,$1,$2;", "=h,h,h"(i16 %a, i16 %b)
  %v = call i32 asm "mov.b32 $0, {$1,$1};", "=r,h"(i16 %m)
  %s = call i32 asm "sub.f16x2 $0,$1,$1;", "=r,r"(i32 %v)
  %on = icmp eq i32 %s, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel inline_both is {{.*}} floating-point arithmetic that may be rounded in another way
define ptx_kernel void @inline_both(ptr %x, float %a, float %b) {
  %s = call float asm "{.reg .f32 m; mul.f32 m,$1,$2; add.f32 $0,m,$2;}", "=f,f,f"(float %a, float %b)
  %on = fcmp ogt float %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; Without .ftz an approximation is made of several instructions.
; CHECK: kernel inline_scaled is {{.*}} the result of a call, of another lane, or of inline assembly
define ptx_kernel void @inline_scaled(ptr %x, float %a) {
  %r = call float asm "rcp.approx.f32 $0,$1;", "=f,f"(float %a)
  %on = fcmp ogt float %r, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel inline_unknown is {{.*}} the result of a call, of another lane, or of inline assembly
define ptx_kernel void @inline_unknown(ptr %x, float %a) {
  %r = call float asm "tanh.approx.f32 $0,$1;", "=f,f"(float %a)
  %on = fcmp ogt float %r, 0.5
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; A carry within a statement is one of its values; the carry of another statement may be anything.
; CHECK: kernel inline_carry is {{.*}}, in a clone
define ptx_kernel void @inline_carry(ptr %x, i32 %a, i32 %b) {
  %r = call { i32, i32 } asm "{mad.lo.cc.u32 $0,$2,$3,$2; madc.hi.u32 $1,$2,$3,0;}", "=r,=r,r,r"(i32 %a, i32 %b)
  %v = extractvalue { i32, i32 } %r, 1
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel inline_carry_of_another is {{.*}} the result of a call, of another lane, or of inline assembly
define ptx_kernel void @inline_carry_of_another(ptr %x, i32 %a, i32 %b) {
  %low = call i32 asm "add.cc.u32 $0,$1,$2;", "=r,r,r"(i32 %a, i32 %b)
  %high = call i32 asm "addc.u32 $0,$1,$2;", "=r,r,r"(i32 %a, i32 %b)
  %on = icmp eq i32 %high, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; Through the thread's own memory, which an assembler may keep in registers.
; CHECK: kernel stored is {{.*}} floating-point arithmetic that may be rounded in another way
define ptx_kernel void @stored(ptr %x, float %a, float %b, i64 %i, i64 %j) {
  %own = alloca [4 x float]
  %m = fmul contract float %a, %b
  %p = getelementptr [4 x float], ptr %own, i64 0, i64 %i
  store float %m, ptr %p
  %q = getelementptr [4 x float], ptr %own, i64 0, i64 %j
  %v = load float, ptr %q
  %s = fadd contract float %v, %a
  %on = fcmp ogt float %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}
!0 = !{float 2.5}
