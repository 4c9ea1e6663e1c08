; A row each: instructions of LLVM. Exceptions, asm goto and variable arguments are in rows-uncounted.ll.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of opcode.fadd:
; CHECK-NEXT: {{^}} fp32_add=1 :
; CHECK-NEXT: {{^}} fp64_add=1 :
; CHECK-NEXT: {{^}} fp16_add=2 :
; CHECK-NEXT: {{^}} bf16_add=4 :
define void @opcode.fadd(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = fadd float %a, %a
  %2 = fadd double %d, %d
  %3 = fadd <2 x half> %h, %h
  %4 = fadd <4 x bfloat> %b, %b
  ret void
}

; CHECK-NEXT: costs of opcode.fsub:
; CHECK-NEXT: {{^}} fp32_add=1 :
; CHECK-NEXT: {{^}} fp64_add=1 :
; CHECK-NEXT: {{^}} fp16_add=2 :
; CHECK-NEXT: {{^}} bf16_add=4 :
define void @opcode.fsub(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = fsub float %a, %a
  %2 = fsub double %d, %d
  %3 = fsub <2 x half> %h, %h
  %4 = fsub <4 x bfloat> %b, %b
  ret void
}

; CHECK-NEXT: costs of opcode.fmul:
; CHECK-NEXT: {{^}} fp32_mul=1 :
; CHECK-NEXT: {{^}} fp64_mul=1 :
; CHECK-NEXT: {{^}} fp16_mul=2 :
; CHECK-NEXT: {{^}} bf16_mul=4 :
define void @opcode.fmul(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = fmul float %a, %a
  %2 = fmul double %d, %d
  %3 = fmul <2 x half> %h, %h
  %4 = fmul <4 x bfloat> %b, %b
  ret void
}

; CHECK-NEXT: costs of opcode.fdiv:
; CHECK-NEXT: {{^}} fp32_div=1 :
; CHECK-NEXT: {{^}} fp64_div=1 :
; CHECK-NEXT: {{^}} fp16_div=2 :
; CHECK-NEXT: {{^}} bf16_div=4 :
define void @opcode.fdiv(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = fdiv float %a, %a
  %2 = fdiv double %d, %d
  %3 = fdiv <2 x half> %h, %h
  %4 = fdiv <4 x bfloat> %b, %b
  ret void
}

; CHECK-NEXT: costs of opcode.frem:
; CHECK-NEXT: {{^}} fp32_div=1 :
; CHECK-NEXT: {{^}} fp64_div=1 :
; CHECK-NEXT: {{^}} fp16_div=2 :
; CHECK-NEXT: {{^}} bf16_div=4 :
define void @opcode.frem(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = frem float %a, %a
  %2 = frem double %d, %d
  %3 = frem <2 x half> %h, %h
  %4 = frem <4 x bfloat> %b, %b
  ret void
}

; CHECK-NEXT: costs of opcode.fneg:
define void @opcode.fneg(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = fneg float %a
  ret void
}

; CHECK-NEXT: costs of opcode.add:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.add(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = add i32 %i, %i
  %2 = add <3 x i64> %v, %v
  ret void
}

; CHECK-NEXT: costs of opcode.sub:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.sub(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = sub i32 %i, %i
  %2 = sub <3 x i64> %v, %v
  ret void
}

; CHECK-NEXT: costs of opcode.mul:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.mul(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = mul i32 %i, %i
  %2 = mul <3 x i64> %v, %v
  ret void
}

; CHECK-NEXT: costs of opcode.udiv:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.udiv(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = udiv i32 %i, %i
  %2 = udiv <3 x i64> %v, %v
  ret void
}

; CHECK-NEXT: costs of opcode.sdiv:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.sdiv(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = sdiv i32 %i, %i
  %2 = sdiv <3 x i64> %v, %v
  ret void
}

; CHECK-NEXT: costs of opcode.urem:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.urem(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = urem i32 %i, %i
  %2 = urem <3 x i64> %v, %v
  ret void
}

; CHECK-NEXT: costs of opcode.srem:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.srem(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = srem i32 %i, %i
  %2 = srem <3 x i64> %v, %v
  ret void
}

; CHECK-NEXT: costs of opcode.shl:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.shl(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = shl i32 %i, %i
  %2 = shl <3 x i64> %v, %v
  ret void
}

; CHECK-NEXT: costs of opcode.lshr:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.lshr(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = lshr i32 %i, %i
  %2 = lshr <3 x i64> %v, %v
  ret void
}

; CHECK-NEXT: costs of opcode.ashr:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.ashr(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = ashr i32 %i, %i
  %2 = ashr <3 x i64> %v, %v
  ret void
}

; CHECK-NEXT: costs of opcode.and:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.and(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = and i32 %i, %i
  %2 = and <3 x i64> %v, %v
  %3 = and i1 %p, %p
  ret void
}

; CHECK-NEXT: costs of opcode.or:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.or(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = or i32 %i, %i
  %2 = or <3 x i64> %v, %v
  %3 = or i1 %p, %p
  ret void
}

; CHECK-NEXT: costs of opcode.xor:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=3 :
define void @opcode.xor(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = xor i32 %i, %i
  %2 = xor <3 x i64> %v, %v
  %3 = xor i1 %p, %p
  ret void
}

; CHECK-NEXT: costs of opcode.icmp:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=3 :
; CHECK-NEXT: {{^}} compare=1 :
define void @opcode.icmp(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = icmp slt i32 %i, 0
  %2 = icmp eq <3 x i64> %v, zeroinitializer
  %3 = icmp eq ptr addrspace(1) %g, null
  ret void
}

; CHECK-NEXT: costs of opcode.fcmp:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
define void @opcode.fcmp(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = fcmp olt float %a, 0.0
  %2 = fcmp une <2 x half> %h, %h
  ret void
}

; CHECK-NEXT: costs of opcode.fptrunc:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=4 :
define void @opcode.fptrunc(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = fptrunc double %d to float
  %2 = fptrunc <4 x float> zeroinitializer to <4 x half>
  ret void
}

; CHECK-NEXT: costs of opcode.fpext:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=2 :
define void @opcode.fpext(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = fpext float %a to double
  %2 = fpext <2 x half> %h to <2 x float>
  ret void
}

; CHECK-NEXT: costs of opcode.fptoui:
; CHECK-NEXT: {{^}} convert=1 :
define void @opcode.fptoui(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = fptoui float %a to i32
  ret void
}

; CHECK-NEXT: costs of opcode.fptosi:
; CHECK-NEXT: {{^}} convert=2 :
define void @opcode.fptosi(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = fptosi <2 x half> %h to <2 x i16>
  ret void
}

; CHECK-NEXT: costs of opcode.uitofp:
; CHECK-NEXT: {{^}} convert=1 :
define void @opcode.uitofp(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = uitofp i32 %i to float
  ret void
}

; CHECK-NEXT: costs of opcode.sitofp:
; CHECK-NEXT: {{^}} convert=3 :
define void @opcode.sitofp(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = sitofp <3 x i64> %v to <3 x double>
  ret void
}

; CHECK-NEXT: costs of opcode.load:
; CHECK-NEXT: {{^}} global_load=4 :
; CHECK-NEXT: {{^}} shared_load=16 :
; CHECK-NEXT: {{^}} global_load=3 :
; CHECK-NEXT: {{^}} global_load=1 :
; CHECK-NEXT: {{^}} constant_load=8 :
; CHECK-NEXT: {{^}} local_load=2 :
; CHECK-NEXT: {{^}} constant_load=4 :
define void @opcode.load(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = load float, ptr addrspace(1) %g
  %2 = load <4 x i32>, ptr addrspace(3) %s
  %3 = load <3 x i8>, ptr addrspace(1) %g
  %4 = load i1, ptr addrspace(1) %g
  %5 = load double, ptr addrspace(4) null
  %6 = load i16, ptr addrspace(5) null
  %7 = load i32, ptr addrspace(101) null
  ret void
}

; CHECK-NEXT: costs of opcode.store:
; CHECK-NEXT: {{^}} global_store=8 :
; CHECK-NEXT: {{^}} shared_store=4 :
; CHECK-NEXT: {{^}} local_store=4 :
define void @opcode.store(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  store double %d, ptr addrspace(1) %g
  store <2 x half> %h, ptr addrspace(3) %s
  store i32 %i, ptr addrspace(5) null
  ret void
}

; CHECK-NEXT: costs of opcode.atomicrmw:
; CHECK-NEXT: {{^}} global_atomic=4 atomic_op=1 :
; CHECK-NEXT: {{^}} shared_atomic=8 fp64_accumulate=1 :
define void @opcode.atomicrmw(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = atomicrmw add ptr addrspace(1) %g, i32 %i monotonic
  %2 = atomicrmw fadd ptr addrspace(3) %s, double %d monotonic
  ret void
}

; CHECK-NEXT: costs of opcode.cmpxchg:
; CHECK-NEXT: {{^}} global_atomic=8 atomic_op=1 :
define void @opcode.cmpxchg(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = cmpxchg ptr addrspace(1) %g, i64 0, i64 1 monotonic monotonic
  ret void
}

; CHECK-NEXT: costs of opcode.trunc:
define void @opcode.trunc(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = trunc i32 %i to i8
  ret void
}

; CHECK-NEXT: costs of opcode.zext:
define void @opcode.zext(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = zext i32 %i to i64
  ret void
}

; CHECK-NEXT: costs of opcode.sext:
define void @opcode.sext(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = sext i32 %i to i64
  ret void
}

; CHECK-NEXT: costs of opcode.ptrtoint:
define void @opcode.ptrtoint(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = ptrtoint ptr addrspace(1) %g to i64
  ret void
}

; CHECK-NEXT: costs of opcode.inttoptr:
define void @opcode.inttoptr(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = inttoptr i32 %i to ptr addrspace(3)
  ret void
}

; CHECK-NEXT: costs of opcode.bitcast:
define void @opcode.bitcast(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = bitcast float %a to i32
  ret void
}

; CHECK-NEXT: costs of opcode.addrspacecast:
define void @opcode.addrspacecast(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = addrspacecast ptr addrspace(1) %g to ptr
  ret void
}

; CHECK-NEXT: costs of opcode.getelementptr:
define void @opcode.getelementptr(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = getelementptr float, ptr addrspace(1) %g, i32 %i
  ret void
}

; CHECK-NEXT: costs of opcode.alloca:
define void @opcode.alloca(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = alloca i32
  ret void
}

; CHECK-NEXT: costs of opcode.fence:
define void @opcode.fence(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  fence seq_cst
  ret void
}

; CHECK-NEXT: costs of opcode.select:
define void @opcode.select(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = select i1 %p, float %a, float 0.0
  ret void
}

; CHECK-NEXT: costs of opcode.freeze:
define void @opcode.freeze(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = freeze float %a
  ret void
}

; CHECK-NEXT: costs of opcode.extractelement:
define void @opcode.extractelement(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = extractelement <2 x half> %h, i32 0
  ret void
}

; CHECK-NEXT: costs of opcode.insertelement:
define void @opcode.insertelement(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = insertelement <2 x half> %h, half 0.0, i32 0
  ret void
}

; CHECK-NEXT: costs of opcode.shufflevector:
define void @opcode.shufflevector(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = shufflevector <2 x half> %h, <2 x half> %h, <2 x i32> <i32 1, i32 0>
  ret void
}

; CHECK-NEXT: costs of opcode.extractvalue:
define void @opcode.extractvalue(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = extractvalue { i32, float } poison, 1
  ret void
}

; CHECK-NEXT: costs of opcode.insertvalue:
define void @opcode.insertvalue(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = insertvalue { i32, float } poison, float %a, 1
  ret void
}

; CHECK-NEXT: costs of opcode.ret:
define void @opcode.ret(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  ret void
}

; CHECK-NEXT: costs of opcode.br:
define void @opcode.br(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  br label %next
  next:
  ret void
}

; CHECK-NEXT: costs of opcode.phi:
define void @opcode.phi(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  br label %next
  next:
  %1 = phi i32 [ %i, %0 ]
  ret void
}

; CHECK-NEXT: costs of opcode.switch:
define void @opcode.switch(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  switch i32 %i, label %next [ i32 1, label %next ]
  next:
  ret void
}

; CHECK-NEXT: costs of opcode.indirectbr:
define void @opcode.indirectbr(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  indirectbr ptr blockaddress(@opcode.indirectbr, %next), [label %next]
  next:
  ret void
}

; CHECK-NEXT: costs of opcode.unreachable:
define void @opcode.unreachable(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  br i1 %p, label %never, label %next
  never:
  unreachable
  next:
  ret void
}

; CHECK-NEXT: costs of opcode.call:
; CHECK-NEXT: {{^}} uncounted: call of elsewhere (its body is not in this translation unit)
define void @opcode.call(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  call void @end()
  call void @elsewhere()
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}

declare void @elsewhere()
