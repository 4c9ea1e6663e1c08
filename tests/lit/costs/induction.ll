; The number of a loop's turn as a double: ptxas may add a constant in each turn in place of converting.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-expansions>' -disable-output %s | %FileCheck %s --implicit-check-not=expand_
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: expansions of turns:
; CHECK-NEXT: expand_fp64_more=1 : %x =
; CHECK-NEXT: expand_fp64_more=1 : %y =
define void @turns(i32 %n, i64 %long, double %last, ptr %p) {
  %once = sitofp i32 %n to double
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %l = phi i64 [ 0, %0 ], [ %l.next, %loop ]
  %x = sitofp i32 %i to double
  %odd = or i32 %i, 1
  %y = uitofp i32 %odd to double
  %single = sitofp i32 %i to float
  %of.long = sitofp i64 %l to double
  %other = sub i32 %n, %odd
  %z = sitofp i32 %other to double
  %next = add i32 %i, 1
  %l.next = add i64 %l, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
