; Integer work; logic on predicates, address arithmetic and width changes are free.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of f:
; CHECK-NEXT: integer=1 : %add =
; CHECK-NEXT: integer=1 : %mul =
; CHECK-NEXT: integer=1 : %div =
; CHECK-NEXT: integer=1 : %rem =
; CHECK-NEXT: integer=1 : %shift =
; CHECK-NEXT: integer=1 : %xor =
; CHECK-NEXT: integer=4 : %bytes =
; CHECK-NEXT: compare=1 : %less =
; CHECK-NEXT: compare=1 : %max =
; CHECK-NEXT: integer=1 : %bits =
; CHECK-NEXT: integer=1 : %funnel =
; CHECK-NEXT: integer=1 : %overflow ={{.*}}
; CHECK-NOT: {{^  [a-z]}}
define void @f(i32 %a, i64 %b, <4 x i8> %c, ptr %p) {
  %add = add i32 %a, 1
  %mul = mul i64 %b, 3
  %div = sdiv i32 %a, 7
  %rem = urem i32 %a, 7
  %shift = lshr i64 %b, 2
  %xor = xor i32 %a, -1
  %bytes = add <4 x i8> %c, %c
  %less = icmp slt i32 %a, 5
  %logic = and i1 %less, true
  %address = getelementptr float, ptr %p, i64 %b
  %wide = zext i32 %a to i64
  %narrow = trunc i64 %b to i32
  %max = call i32 @llvm.smax.i32(i32 %a, i32 0)
  %bits = call i32 @llvm.ctpop.i32(i32 %a)
  %funnel = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 3)
  %overflow = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 1)
  ret void
}
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
