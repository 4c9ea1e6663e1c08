; Arithmetic that is executed in another block than it stands in.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-expansions;contract=all>' -disable-output %s | %FileCheck %s --implicit-check-not=expand_
; REQUIRES: llvm-at-least-22
target triple = "nvptx64-nvidia-cuda"

; A mean that differences contain, and that one lane stores: the product beside the fma may be that lane's alone.
; CHECK-LABEL: expansions of mean_of_one:
; CHECK-NEXT: expand_fp32_less=1 : %mean
; CHECK-NEXT: expand_fp32_behind=1 : store volatile float %mean
define void @mean_of_one(float %sum, float %x, i1 %c, ptr %p) {
  %mean = fmul contract float %sum, 2.5e-1
  %difference = fsub contract float %x, %mean
  store volatile float %difference, ptr %p
  br i1 %c, label %one, label %end
one:
  store volatile float %mean, ptr %p
  br label %end
end:
  ret void
}

; Behind a second branch too; a division is computed with its sum, and what is wanted at both places is not moved.
; CHECK-LABEL: expansions of behind_two:
; CHECK-NEXT: expand_fp32_less=1 : %sum
; CHECK-NEXT: expand_fp32_fma=5 expand_fp32_slow_more=25 expand_fp32_less=10 : %quotient
; CHECK-NEXT: expand_fp32_behind=1 expand_fp32_behind=10 : store volatile float %quotient
define void @behind_two(float %a, float %b, i1 %c, i1 %d, ptr %p) {
  %sum = fadd float %a, %b
  %quotient = fdiv float %sum, %b
  %kept = fadd float %a, 1.0
  br i1 %c, label %first, label %second
first:
  store volatile float %kept, ptr %p
  br label %second
second:
  br i1 %d, label %one, label %end
one:
  store volatile float %quotient, ptr %p
  store volatile float %kept, ptr %p
  br label %end
end:
  ret void
}

; Not into loops, and not where all threads come by.
; CHECK-LABEL: expansions of stays:
define void @stays(float %a, float %b, i1 %c, ptr %p) {
  %sum = fadd float %a, %b
  %other = fadd float %a, 1.0
  br i1 %c, label %loop, label %end
loop:
  store volatile float %sum, ptr %p
  br i1 %c, label %loop, label %end
end:
  store volatile float %other, ptr %p
  ret void
}

; LLVM moves a product with one user, a sum in another block, there: an fma each time that the sum is executed.
; CHECK-LABEL: expansions of product_moved:
; CHECK-NEXT: expand_fp32_folded=1 : %product
; CHECK-NEXT: expand_fp32_mul=1 : %sum
define void @product_moved(float %a, float %b, i32 %n, ptr %p) {
  %product = fmul contract float %a, %b
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %x = load volatile float, ptr %p
  %sum = fsub contract float %x, %product
  store volatile float %sum, ptr %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Not if a flag is missing, nor halves, nor with two users.
; CHECK-LABEL: expansions of product_stays:
; CHECK-NEXT: expand_half=1 : %half
; CHECK-NEXT: expand_half=1 : %half.sum
define void @product_stays(float %a, half %h, i1 %c, ptr %p) {
  %product = fmul float %a, %a
  %twice = fmul contract float %a, 3.0
  %half = fmul contract half %h, %h
  br label %next
next:
  %sum = fadd contract float %a, %product
  %first = fadd contract float %a, %twice
  %second = fsub contract float %twice, %first
  %half.sum = fadd contract half %h, %half
  store volatile float %sum, ptr %p
  store volatile float %second, ptr %p
  store volatile half %half.sum, ptr %p
  ret void
}

; A statement whose sum under a predicate one lane wants.
; CHECK-LABEL: expansions of statement:
; CHECK-NEXT: expand_fp32_less=1 : %sum
define void @statement(float %a, i1 %c, ptr %p) {
  %sum = call float asm "add.f32 $0, $1, $1;", "=f,f"(float %a)
  br i1 %c, label %one, label %end
one:
  store volatile float %sum, ptr %p
  br label %end
end:
  ret void
}
