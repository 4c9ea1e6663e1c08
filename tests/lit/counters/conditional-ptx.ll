; Predicated inline PTX, and sizes in registers: the counter adds the operands' values, and the statement
; stays unchanged. Costs independent of them stay in the block's counter. Where operands do not determine a
; cost, the statement counts, as another result; where it may end the thread, the cost is listed.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>,function(mem2reg),verify' -S %s -o %t
; RUN: %FileCheck %s --implicit-check-not=gpuprof.value < %t
; RUN: %FileCheck %s --check-prefix=SHEET < %t
; Statements of kernels that are not counted stay as they were.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<filter=none>,verify' -S %s | %FileCheck %s --check-prefix=PLAIN --implicit-check-not='add.u32 $'
target triple = "nvptx64-nvidia-cuda"

; SHEET: kernel\090\09predicate\09groups=16\0A
; SHEET-SAME: cost\090\091\09-\09-\090\09expand_bypass=16\09global_load=16\09shared_store=16\0A
; CHECK-LABEL: define ptx_kernel void @predicate(
; CHECK: [[HOLDS:%.*]] = icmp ne i32 %n, 0
; CHECK-NEXT: [[ADDED:%.*]] = zext i1 [[HOLDS]] to i64
; CHECK-NEXT: add i64 0, [[ADDED]]
; CHECK-NEXT: call void asm sideeffect "{ .reg .pred p; setp.ne.b32 p, $0, 0; @p cp.async.cg.shared.global [$1], [$2], $3; }"
define ptx_kernel void @predicate(ptr %p, i32 %s, i32 %n) {
  call void asm sideeffect "{ .reg .pred p; setp.ne.b32 p, $0, 0; @p cp.async.cg.shared.global [$1], [$2], $3; }", "r,r,l,n"(i32 %n, i32 %s, ptr %p, i32 16)
  ret void
}

; SHEET-SAME: kernel\091\09size\09groups=16\0A
; SHEET-SAME: cost\091\090\09-\09-\090\09shared_store=16\09lanes_shared_store_any=16\0A
; SHEET-SAME: cost\091\091\09-\09-\090\09global_load=1\0A
; CHECK-LABEL: define ptx_kernel void @size(
; CHECK: [[LESS:%.*]] = icmp ult i32 %n, 16
; CHECK-NEXT: [[BYTES:%.*]] = select i1 [[LESS]], i32 %n, i32 16
; CHECK-NEXT: [[ADDED:%.*]] = zext i32 [[BYTES]] to i64
; CHECK-NEXT: add i64 0, [[ADDED]]
; CHECK-NEXT: call void asm sideeffect "cp.async.ca
define ptx_kernel void @size(ptr %p, i32 %s, i32 %n) {
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 16, $2;", "r,l,r"(i32 %s, ptr %p, i32 %n)
  ret void
}

; An operand that is a predicate itself, and a bulk copy counted on both sides.
; SHEET-SAME: kernel\092\09operand\09groups=16\0A
; SHEET-SAME: cost\092\091\09-\09-\090\09global_load=1\09shared_store=1\0A
; CHECK-LABEL: define ptx_kernel void @operand(
; CHECK: [[BYTES:%.*]] = zext i32 %n to i64
; CHECK-NEXT: select i1 %c, i64 [[BYTES]], i64 0
; CHECK: call void asm sideeffect "@$0 cp.async.bulk
define ptx_kernel void @operand(ptr %p, i32 %s, i32 %n, i1 %c) {
  call void asm sideeffect "@$0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$1], [$2], $3, [$1];", "b,r,l,r"(i1 %c, i32 %s, ptr %p, i32 %n)
  ret void
}

; With forward branches each instruction runs at most once. The expansion of a division is counted with it.
; SHEET-SAME: kernel\093\09branch\09groups=16\0A
; SHEET-SAME: cost\093\090\09-\09-\090\09fp32_mul=1\09compare=1\0A
; SHEET-SAME: cost\093\091\09-\09-\090\09fp32_div=1\09expand_fp32_fma=5\09expand_fp32_slow_more=25\0A
; CHECK-LABEL: define ptx_kernel void @branch(
define ptx_kernel void @branch(i32 %n) {
  call void asm sideeffect "{ .reg .pred q; .reg .f32 x; setp.lt.s32 q, $0, 3; @q bra L; div.rn.f32 x, x, x; L: mul.f32 x, x, x; }", "r"(i32 %n)
  ret void
}

; Equal costs of one line have one counter; no instruction runs where a predicate is known to be false. ptxas may
; execute arithmetic in all lanes, and select.
; SHEET-SAME: kernel\094\09unrolled\09groups=16\0A
; SHEET-SAME: cost\094\090\09-\09-\090\09expand_fp32_more=3\0A
; SHEET-SAME: cost\094\091\09-\09-\090\09fp32_add=1\0A
; SHEET-SAME: kernel
; CHECK-LABEL: define ptx_kernel void @unrolled(
define ptx_kernel void @unrolled(i1 %a, i1 %b) {
  call void asm sideeffect "{ .reg .f32 x; @!$0 add.f32 x, x, x; }", "b"(i1 %a)
  call void asm sideeffect "{ .reg .f32 x; @!$0 add.f32 x, x, x; }", "b"(i1 %b)
  call void asm sideeffect "{ .reg .f32 x; @$0 add.f32 x, x, x; }", "b"(i1 false)
  ret void
}

; Operands behind the results have higher numbers: $0 and ${0:c}, but neither an escaped sign nor a label's ${:uid}.
; SHEET-SAME: \095\09loaded\09groups=16\0A
; SHEET-SAME: cost\095\090\09-\09-\090\09compare=1\09global_load=4\09lanes_global_load_any=4\0A
; SHEET-SAME: cost\095\091\09-\09-\090\09global_store=8\0A
; CHECK-LABEL: define ptx_kernel void @loaded(
; CHECK: [[TIMES:%.*]] = call i32 asm sideeffect "mov.u32 $0, 0; { .reg .pred q; .reg .s32 x; ld.global.s32 x, [$1]; setp.lt.s32 q, x, 3; @q add.u32 $0, $0, 1; @q st.global.s32 [${1:c}+4], x; @q st.global.s32 [$1+8], x; }", "=&r,l"(ptr %p)
; CHECK-NEXT: [[ADDED:%.*]] = zext i32 [[TIMES]] to i64
; CHECK-NEXT: add i64 0, [[ADDED]]
; PLAIN-LABEL: define ptx_kernel void @loaded(
; PLAIN-NEXT: call void asm sideeffect "{ .reg .pred q; {{.*}}", "l"(ptr %p)
define ptx_kernel void @loaded(ptr %p) {
  call void asm sideeffect "{ .reg .pred q; .reg .s32 x; ld.global.s32 x, [$0]; setp.lt.s32 q, x, 3; @q st.global.s32 [${0:c}+4], x; @q st.global.s32 [$0+8], x; }", "l"(ptr %p)
  ret void
}

; A comment directly behind a predicate.
; SHEET-SAME: \096\09comment\09groups=16\0A
; CHECK-LABEL: define ptx_kernel void @comment(
; CHECK: asm sideeffect "mov.u32 $0, 0; mov.u32 $1, 0; {{.*}} @q add.u32 $0, $0, 1; @q// written seldom\0A st.global.s32 [$2], x; @!q add.u32 $1, $1, 1; @!q
define ptx_kernel void @comment(ptr %p) {
  call void asm sideeffect "{ .reg .pred q; .reg .s32 x; ld.global.s32 x, [$0]; setp.lt.s32 q, x, 3; @q// written seldom\0A st.global.s32 [$0], x; @!q/**/st.global.s32 [$0+4], x; }", "l"(ptr %p)
  ret void
}

; A loop; the results stay those of the statement.
; SHEET-SAME: kernel\097\09loop\09groups=16\0A
; SHEET-SAME: cost\097\090\09-\09-\090\09expand_fp32_more=2\09global_store=4\09global_uniform=4\09lanes_global_store_same=4\0A
; SHEET-SAME: cost\097\091\09-\09-\090\09fp32_fma=1\09integer=1\09compare=1\0A
; CHECK-LABEL: define ptx_kernel void @loop(
; CHECK: [[ALL:%.*]] = call { float, float, i32 } asm "mov.u32 $2, 0; L${:uid}: add.u32 $2, $2, 1; fma.rn.f32 $0, $3, $3, $0; sub.s32 $$k, $$k, 1; setp.gt.s32 $$p, $$k, 0; @$$p bra L${:uid};", "=f,=f,=&r,f,0"(float %x, float %x)
; CHECK: extractvalue { float, float, i32 } [[ALL]], 2
; CHECK: [[FIRST:%.*]] = extractvalue { float, float, i32 } [[ALL]], 0
; CHECK-NEXT: insertvalue { float, float } poison, float [[FIRST]], 0
; PLAIN-LABEL: define ptx_kernel void @loop(
; PLAIN-NEXT: [[BOTH:%.*]] = call { float, float } asm "L${:uid}: fma{{.*}}", "=f,=f,f,0"(float %x, float %x)
; PLAIN-NEXT: %sum = extractvalue { float, float } [[BOTH]], 0
; PLAIN-NEXT: store float %sum, ptr %p
define ptx_kernel void @loop(ptr %p, float %x) {
  %both = call { float, float } asm "L${:uid}: fma.rn.f32 $0, $2, $2, $0; sub.s32 $$k, $$k, 1; setp.gt.s32 $$p, $$k, 0; @$$p bra L${:uid};", "=f,=f,f,0"(float %x, float %x)
  %sum = extractvalue { float, float } %both, 0
  store float %sum, ptr %p
  ret void
}

; SHEET-SAME: kernel\098\09ends\09groups=16\0A
; SHEET-SAME: uncounted\098\090\09-\090\09inline asm \22st.global.s32\22\09counted as if its predicate were true, since the operands of the asm do not determine it: an upper bound\0A
; CHECK-LABEL: define ptx_kernel void @ends(
; CHECK: call void asm sideeffect "{ .reg
define ptx_kernel void @ends(ptr %p) {
  call void asm sideeffect "{ .reg .pred q; .reg .s32 x; ld.global.s32 x, [$0]; setp.lt.s32 q, x, 3; @q st.global.s32 [$0+4], x; @q trap; }", "l"(ptr %p)
  ret void
}

; As an intrinsic.
; SHEET-SAME: kernel\099\09intrinsic\09groups=16\0A
; SHEET-SAME: cost\099\090\09-\09-\090\09shared_store=16\09lanes_shared_store_same=16\0A
; SHEET-SAME: cost\099\091\09-\09-\090\09global_load=1\0A
; CHECK-LABEL: define ptx_kernel void @intrinsic(
define ptx_kernel void @intrinsic(ptr addrspace(3) %s, ptr addrspace(1) %p, i32 %n) {
  call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) %s, ptr addrspace(1) %p, i32 %n)
  ret void
}
declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
