; Inline PTX becomes IR. Unknown instructions stop the launch and are named once at compile time.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck %s
; RUN: %FileCheck --check-prefix=WARNING %s < %t.err
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; WARNING: warning: {{.*}}the CPU device cannot run inline asm "foo.bar  $0;": a launch that reaches it will fail
; WARNING-NOT: warning

; CHECK: c"inline asm \22foo.bar  $0;\22\00"

; CHECK-LABEL: define internal i64 @multiply.cpu(i32 %a, i32 %b, i32 %c)
; The carry of the low half goes into the high one.
; CHECK: [[SUM:%.*]] = add i64
; CHECK: [[CARRY:%.*]] = lshr i64 [[SUM]], 32
; CHECK: [[BIT:%.*]] = trunc i64 [[CARRY]] to i1
; CHECK: zext i1 [[BIT]] to i64
; CHECK-NOT: asm
; CHECK: ret i64
define i64 @multiply(i32 %a, i32 %b, i32 %c) {
  %r = call { i32, i32 } asm "{\0A\09mad.lo.cc.u32   $0, $2, $3, $4;\0A\09madc.hi.u32     $1, $2, $3,  0;\0A\09}", "=r,=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  %l = extractvalue { i32, i32 } %r, 0
  %h = extractvalue { i32, i32 } %r, 1
  %wl = zext i32 %l to i64
  %wh = zext i32 %h to i64
  %s = add i64 %wl, %wh
  ret i64 %s
}

; CHECK-LABEL: define internal i32 @halves.cpu(i32 %x)
; CHECK: bitcast i32 %x to <2 x half>
; CHECK: call <2 x half> @llvm.fma.v2f16
define i32 @halves(i32 %x) {
  %r = call i32 asm "{fma.rn.f16x2 $0,$1,$1,$1;\0A}", "=r,r"(i32 %x)
  ret i32 %r
}

; CHECK-LABEL: define internal i32 @lane.cpu()
; CHECK: i32 0, i32 12
define i32 @lane() {
  %r = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  ret i32 %r
}

; CHECK-LABEL: define internal i32 @unknown.cpu()
; CHECK: call void @__gpuprof_cpu_unsupported(ptr @gpuprof.text{{[^,]*}}, ptr @gpuprof.text{{[^,]*}}, i32 0)
; CHECK-NEXT: ret i32 0
define i32 @unknown() {
  %r = call i32 asm sideeffect "foo.bar \09$0;", "=r"()
  ret i32 %r
}
define i32 @unknown_again() {
  %r = call i32 asm sideeffect "foo.bar \09$0;", "=r"()
  ret i32 %r
}
define ptx_kernel void @kernel() {
  %a = call i64 @multiply(i32 1, i32 2, i32 3)
  %b = call i32 @halves(i32 1)
  %c = call i32 @lane()
  %d = call i32 @unknown()
  %e = call i32 @unknown_again()
  ret void
}
