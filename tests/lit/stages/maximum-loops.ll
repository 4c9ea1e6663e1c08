; A loop that carries a maximum of floats on gets no vectors from LLVM (LLVM 21 crashes there). Others do: one without a maximum,
; and one with a maximum that it does not carry on.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-maximum-loops -S %s | %FileCheck %s
; CHECK-LABEL: define float @carried
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[SPARED:![0-9]+]]
; CHECK-LABEL: define float @sum
; CHECK: br i1 %more, label %loop, label %end{{$}}
; CHECK-LABEL: define void @apart
; CHECK: br i1 %more, label %loop, label %end{{$}}
; CHECK: [[SPARED]] = distinct !{[[SPARED]], [[OFF:![0-9]+]]}
; CHECK: [[OFF]] = !{!"llvm.loop.vectorize.enable", i32 0}
declare float @llvm.maxnum.f32(float, float)

define float @carried(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %most = phi float [ 0.0, %entry ], [ %larger, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %at
  %larger = call float @llvm.maxnum.f32(float %most, float %x)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %larger
}

define float @sum(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %all = phi float [ 0.0, %entry ], [ %larger, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %at
  %larger = fadd float %all, %x
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %larger
}

define void @apart(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %at
  %larger = call float @llvm.maxnum.f32(float %x, float 1.0)
  store float %larger, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
