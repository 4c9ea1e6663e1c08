; A row each: arithmetic of inline PTX. The first type is the type of the computation; packed types count each element.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of ptx.add:
; CHECK-NEXT: {{^}} fp32_add=1 :
; CHECK-NEXT: {{^}} fp64_add=1 :
; CHECK-NEXT: {{^}} fp16_add=1 :
; CHECK-NEXT: {{^}} fp16_add=2 :
; CHECK-NEXT: {{^}} bf16_add=1 :
; CHECK-NEXT: {{^}} bf16_add=2 :
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} fp32_add=2 :
; CHECK-NEXT: {{^}} fp32_add=1 :
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} fp32_add=1 :
define void @ptx.add(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "add.f32 a, a, a;", ""()
  call void asm sideeffect "add.f64 a, a, a;", ""()
  call void asm sideeffect "add.f16 a, a, a;", ""()
  call void asm sideeffect "add.f16x2 a, a, a;", ""()
  call void asm sideeffect "add.bf16 a, a, a;", ""()
  call void asm sideeffect "add.bf16x2 a, a, a;", ""()
  call void asm sideeffect "add.s32 a, a, a;", ""()
  call void asm sideeffect "add.rn.ftz.f32x2 a, a, a;", ""()
  call void asm sideeffect "add.f32.f16 a, b, a;", ""()
  call void asm sideeffect "add.cc.u32 a, a, a;", ""()
  call void asm sideeffect "add .f32 a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.sub:
; CHECK-NEXT: {{^}} fp32_add=1 :
; CHECK-NEXT: {{^}} fp64_add=1 :
; CHECK-NEXT: {{^}} fp16_add=1 :
; CHECK-NEXT: {{^}} fp16_add=2 :
; CHECK-NEXT: {{^}} bf16_add=1 :
; CHECK-NEXT: {{^}} bf16_add=2 :
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.sub(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "sub.f32 a, a, a;", ""()
  call void asm sideeffect "sub.f64 a, a, a;", ""()
  call void asm sideeffect "sub.f16 a, a, a;", ""()
  call void asm sideeffect "sub.f16x2 a, a, a;", ""()
  call void asm sideeffect "sub.bf16 a, a, a;", ""()
  call void asm sideeffect "sub.bf16x2 a, a, a;", ""()
  call void asm sideeffect "sub.s32 a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.mul:
; CHECK-NEXT: {{^}} fp32_mul=1 :
; CHECK-NEXT: {{^}} fp64_mul=1 :
; CHECK-NEXT: {{^}} fp16_mul=1 :
; CHECK-NEXT: {{^}} fp16_mul=2 :
; CHECK-NEXT: {{^}} bf16_mul=1 :
; CHECK-NEXT: {{^}} bf16_mul=2 :
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.mul(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "mul.f32 a, a, a;", ""()
  call void asm sideeffect "mul.f64 a, a, a;", ""()
  call void asm sideeffect "mul.f16 a, a, a;", ""()
  call void asm sideeffect "mul.f16x2 a, a, a;", ""()
  call void asm sideeffect "mul.bf16 a, a, a;", ""()
  call void asm sideeffect "mul.bf16x2 a, a, a;", ""()
  call void asm sideeffect "mul.s32 a, a, a;", ""()
  call void asm sideeffect "mul.wide.u32 a, b, b;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.fma:
; CHECK-NEXT: {{^}} fp32_fma=1 :
; CHECK-NEXT: {{^}} fp64_fma=1 :
; CHECK-NEXT: {{^}} fp16_fma=1 :
; CHECK-NEXT: {{^}} fp16_fma=2 :
; CHECK-NEXT: {{^}} bf16_fma=1 :
; CHECK-NEXT: {{^}} bf16_fma=2 :
; CHECK-NEXT: {{^}} bf16_fma=2 :
define void @ptx.fma(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "fma.rn.f32 a, a, a, a;", ""()
  call void asm sideeffect "fma.rn.f64 a, a, a, a;", ""()
  call void asm sideeffect "fma.rn.f16 a, a, a, a;", ""()
  call void asm sideeffect "fma.rn.f16x2 a, a, a, a;", ""()
  call void asm sideeffect "fma.rn.bf16 a, a, a, a;", ""()
  call void asm sideeffect "fma.rn.bf16x2 a, a, a, a;", ""()
  call void asm sideeffect "fma.rn.relu.bf16x2 a, a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.mad:
; CHECK-NEXT: {{^}} integer=2 :
; CHECK-NEXT: {{^}} fp32_fma=1 :
define void @ptx.mad(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "mad.lo.s32 a, a, a, a;", ""()
  call void asm sideeffect "mad.rn.f32 a, a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.div:
; CHECK-NEXT: {{^}} fp32_div=1 :
; CHECK-NEXT: {{^}} fp32_div=1 :
; CHECK-NEXT: {{^}} fp64_div=1 :
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.div(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "div.rn.f32 a, a, a;", ""()
  call void asm sideeffect "div.full.f32 a, a, a;", ""()
  call void asm sideeffect "div.rn.f64 a, a, a;", ""()
  call void asm sideeffect "div.u32 a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.sqrt:
; CHECK-NEXT: {{^}} fp32_sqrt=1 :
; CHECK-NEXT: {{^}} fp32_sqrt=1 :
; CHECK-NEXT: {{^}} fp64_sqrt=1 :
define void @ptx.sqrt(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "sqrt.rn.f32 a, a;", ""()
  call void asm sideeffect "sqrt.approx.f32 a, a;", ""()
  call void asm sideeffect "sqrt.rn.f64 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.rcp:
; CHECK-NEXT: {{^}} fp32_div=1 :
; CHECK-NEXT: {{^}} special=1 :
; CHECK-NEXT: {{^}} fp64_div=1 :
; CHECK-NEXT: {{^}} special=1 :
define void @ptx.rcp(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "rcp.rn.f32 a, a;", ""()
  call void asm sideeffect "rcp.approx.ftz.f32 a, a;", ""()
  call void asm sideeffect "rcp.rn.f64 a, a;", ""()
  call void asm sideeffect "rcp.approx.ftz.f64 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.ex2:
; CHECK-NEXT: {{^}} special=1 :
; CHECK-NEXT: {{^}} special=2 :
; CHECK-NEXT: {{^}} special=2 :
define void @ptx.ex2(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "ex2.approx.f32 a, a;", ""()
  call void asm sideeffect "ex2.approx.f16x2 a, a;", ""()
  call void asm sideeffect "ex2.approx.ftz.bf16x2 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.lg2:
; CHECK-NEXT: {{^}} special=1 :
define void @ptx.lg2(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "lg2.approx.ftz.f32 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.sin:
; CHECK-NEXT: {{^}} special=1 :
define void @ptx.sin(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "sin.approx.ftz.f32 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cos:
; CHECK-NEXT: {{^}} special=1 :
define void @ptx.cos(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cos.approx.ftz.f32 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.rsqrt:
; CHECK-NEXT: {{^}} special=1 :
define void @ptx.rsqrt(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "rsqrt.approx.ftz.f32 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tanh:
; CHECK-NEXT: {{^}} special=1 :
; CHECK-NEXT: {{^}} special=2 :
define void @ptx.tanh(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tanh.approx.f32 a, a;", ""()
  call void asm sideeffect "tanh.approx.f16x2 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.min:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
define void @ptx.min(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "min.f32 a, a, a;", ""()
  call void asm sideeffect "min.NaN.bf16x2 a, a, a;", ""()
  call void asm sideeffect "min.s32 a, a, a;", ""()
  call void asm sideeffect "min.u16x2 a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.max:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
define void @ptx.max(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "max.f32 a, a, a;", ""()
  call void asm sideeffect "max.NaN.bf16x2 a, a, a;", ""()
  call void asm sideeffect "max.s32 a, a, a;", ""()
  call void asm sideeffect "max.u16x2 a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.set:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
define void @ptx.set(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "set.gt.u32.f32 a, b, b;", ""()
  call void asm sideeffect "set.eq.f16x2.f16x2 a, b, b;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.setp:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.setp(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "setp.lt.s32 p, a, b;", ""()
  call void asm sideeffect "setp.gt.f16x2 p|q, a, b;", ""()
  call void asm sideeffect "setp.ne.and.b64 p, a, b, q;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.slct:
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.slct(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "slct.f32.s32 a, a, a, b;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.testp:
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.testp(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "testp.finite.f32 p, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cvt:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=2 :
; CHECK-NEXT: {{^}} convert=2 :
; CHECK-NEXT: {{^}} convert=2 :
; CHECK-NEXT: {{^}} convert=4 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
define void @ptx.cvt(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cvt.rn.f16.f32 h, a;", ""()
  call void asm sideeffect "cvt.rn.f16x2.f32 h, a, b;", ""()
  call void asm sideeffect "cvt.rn.satfinite.e4m3x2.f32 h, a, b;", ""()
  call void asm sideeffect "cvt.rn.f16x2.e5m2x2 h, a;", ""()
  call void asm sideeffect "cvt.rs.satfinite.e2m1x4.f32 h, {a, b, c, d}, e;", ""()
  call void asm sideeffect "cvt.rna.tf32.f32 a, b;", ""()
  call void asm sideeffect "cvt.u32.u16 a, b;", ""()
  call void asm sideeffect "cvt.pack.sat.s8.s32.b32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.madc:
; CHECK-NEXT: {{^}} integer=2 :
define void @ptx.madc(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "madc.hi.cc.u32 a, a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.mad24:
; CHECK-NEXT: {{^}} integer=2 :
define void @ptx.mad24(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "mad24.lo.s32 a, a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.addc:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.addc(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "addc.u32 a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.subc:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.subc(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "subc.cc.u32 a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.and:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.and(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "and.b32 a, a, a;", ""()
  call void asm sideeffect "and.pred p, p, p;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.bfe:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.bfe(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "bfe.u32 a, a, 3, 4;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.bfi:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.bfi(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "bfi.b64 a, a, a, 3, 4;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.bfind:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.bfind(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "bfind.shiftamt.u32 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.bmsk:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.bmsk(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "bmsk.clamp.b32 a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.brev:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.brev(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "brev.b32 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.clz:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.clz(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "clz.b64 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cnot:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.cnot(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cnot.b32 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.dp2a:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.dp2a(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "dp2a.lo.s32.u32 a, a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.dp4a:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.dp4a(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "dp4a.u32.u32 a, a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.fns:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.fns(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "fns.b32 a, a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.lop3:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.lop3(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "lop3.b32 a, a, a, a, 0x96;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.mul24:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.mul24(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "mul24.lo.u32 a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.not:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.not(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "not.b32 a, a;", ""()
  call void asm sideeffect "not.pred p, p, p;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.or:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.or(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "or.b64 a, a, a;", ""()
  call void asm sideeffect "or.pred p, p, p;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.popc:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.popc(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "popc.b32 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.prmt:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.prmt(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "prmt.b32.f4e a, a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.rem:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.rem(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "rem.u32 a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.sad:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.sad(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "sad.s32 a, a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.shf:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.shf(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "shf.l.wrap.b32 a, a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.shl:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.shl(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "shl.b32 a, a, 2;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.shr:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.shr(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "shr.s32 a, a, 2;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.szext:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.szext(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "szext.clamp.s32 a, a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.xor:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.xor(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "xor.b32 a, a, a;", ""()
  call void asm sideeffect "xor.pred p, p, p;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vabsdiff:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vabsdiff(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vabsdiff.u32.u32.u32.add a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vabsdiff2:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vabsdiff2(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vabsdiff2.u32.u32.u32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vabsdiff4:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vabsdiff4(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vabsdiff4.u32.u32.u32.add a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vadd:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vadd(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vadd.s32.s32.s32 a, b, c;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vadd2:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vadd2(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vadd2.s32.s32.s32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vadd4:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vadd4(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vadd4.u32.u32.u32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vavrg2:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vavrg2(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vavrg2.s32.s32.s32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vavrg4:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vavrg4(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vavrg4.s32.s32.s32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vmad:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vmad(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vmad.s32.s32.s32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vshl:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vshl(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vshl.u32.u32.u32.wrap a, b, c;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vshr:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vshr(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vshr.u32.u32.u32.wrap a, b, c;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vsub:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vsub(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vsub.s32.s32.s32 a, b, c;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vsub2:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vsub2(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vsub2.s32.s32.s32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vsub4:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.vsub4(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vsub4.s32.s32.s32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vmax:
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.vmax(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vmax.s32.s32.s32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vmax2:
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.vmax2(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vmax2.s32.s32.s32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vmax4:
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.vmax4(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vmax4.s32.s32.s32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vmin:
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.vmin(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vmin.s32.s32.s32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vmin2:
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.vmin2(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vmin2.s32.s32.s32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vmin4:
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.vmin4(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vmin4.s32.s32.s32 a, b, c, d;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vset:
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.vset(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vset.u32.u32.lt a, b, c;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vset2:
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.vset2(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vset2.u32.u32.lt a, b, c;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vset4:
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.vset4(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vset4.u32.u32.lt a, b, c;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.redux.sync:
; CHECK-NEXT: {{^}} integer=1 :
define void @ptx.redux.sync(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "redux.sync.add.s32 a, b, -1;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.redux.sync.min:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.redux.sync.min(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "redux.sync.min.u32 a, b, -1;", ""()
  call void asm sideeffect "redux.sync.min.abs.NaN.f32 a, b, -1;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.redux.sync.max:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
define void @ptx.redux.sync.max(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "redux.sync.max.u32 a, b, -1;", ""()
  call void asm sideeffect "redux.sync.max.abs.NaN.f32 a, b, -1;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.abs:
define void @ptx.abs(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "abs.f32 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.neg:
define void @ptx.neg(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "neg.f32 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.copysign:
define void @ptx.copysign(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "copysign.f32 a, a;", ""()
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}
