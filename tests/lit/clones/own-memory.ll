; A clone keeps a variable in the thread's own memory, with all accesses, if control flow needs its values and nothing
; but loads and stores reaches it. Other variables vanish.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone;remarks>,verify' -pass-remarks=gpuprof -S %s -o %t 2>%t.remarks
; RUN: %FileCheck --check-prefix=SAID %s <%t.remarks
; RUN: %FileCheck %s <%t
; RUN: ! grep gpuprof.unknown %t
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare i32 @vprintf(ptr, ptr)

; One variable decides, a second is needed for it; a third only sums up what is stored: it needs memory that the
; kernel writes.
; SAID: kernel needed is {{.*}}, in a clone with {{.*}}, once for each configuration
; CHECK: define ptx_kernel void @"needed$gpuprof_count"
; CHECK: [[FIRST:%.*]] = alloca [4 x i32]
; CHECK-NEXT: [[SECOND:%.*]] = alloca [4 x i64]
; CHECK-NOT: alloca
; CHECK: call void @llvm.memset.p0.i64(ptr [[FIRST]]
; CHECK: store i64 %i, ptr [[SECOND]]
; CHECK: store i32 7
; CHECK-NOT: float
; CHECK: ret void
define ptx_kernel void @needed(ptr %x, ptr %y, i64 %i, i64 %j) {
entry:
  %first = alloca [4 x i32]
  %second = alloca [4 x i64]
  %sums = alloca [4 x float]
  call void @llvm.memset.p0.i64(ptr %first, i8 0, i64 16, i1 false)
  store i64 %i, ptr %second
  %at = load i64, ptr %second
  %place = getelementptr [4 x i32], ptr %first, i64 0, i64 %at
  store i32 7, ptr %place
  %looked = getelementptr [4 x i32], ptr %first, i64 0, i64 %j
  %v = load i32, ptr %looked
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  %sum = getelementptr [4 x float], ptr %sums, i64 0, i64 %j
  %before = load float, ptr %sum
  %more = load float, ptr %y
  %after = fadd float %before, %more
  store float %after, ptr %sum
  store float %after, ptr %y
  br label %end
end:
  ret void
}

; The variable holds what the kernel loads from memory that it writes.
; SAID: kernel unknown_inside is {{.*}} loads from memory that the kernel may write
define ptx_kernel void @unknown_inside(ptr %x, i64 %i) {
  %own = alloca [4 x i32]
  %w = load i32, ptr %x
  store i32 %w, ptr %own
  %p = getelementptr [4 x i32], ptr %own, i64 0, i64 %i
  %v = load i32, ptr %p
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; SAID: kernel printed is {{.*}} loads what the kernel has computed
define ptx_kernel void @printed(ptr %x, i64 %i) {
  %own = alloca [4 x i32]
  store i32 1, ptr %own
  %n = call i32 @vprintf(ptr null, ptr %own)
  %p = getelementptr [4 x i32], ptr %own, i64 0, i64 %i
  %v = load i32, ptr %p
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; A pointer that moves within one variable.
; SAID: kernel moved is {{.*}}, in a clone with {{.*}}, once for each configuration
define ptx_kernel void @moved(ptr %x, i64 %i) {
entry:
  %own = alloca [4 x i32]
  store i32 1, ptr %own
  %first = getelementptr [4 x i32], ptr %own, i64 0, i64 %i
  br label %loop
loop:
  %p = phi ptr [ %first, %entry ], [ %next, %loop ]
  store i32 1, ptr %p
  %next = getelementptr i32, ptr %p, i64 -1
  %v = load i32, ptr %next
  %on = icmp eq i32 %v, 0
  br i1 %on, label %loop, label %end
end:
  store i32 7, ptr %x
  ret void
}

; Which of two variables a pointer points to is not followed.
; SAID: kernel chosen is {{.*}} loads what the kernel has computed
define ptx_kernel void @chosen(ptr %x, i1 %c) {
  %one = alloca i32
  %two = alloca i32
  store i32 1, ptr %one
  store i32 2, ptr %two
  %p = select i1 %c, ptr %one, ptr %two
  store i32 3, ptr %p
  %v = load i32, ptr %one
  %on = icmp eq i32 %v, 3
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; SAID: kernel copied is {{.*}} loads what the kernel has computed
define ptx_kernel void @copied(ptr %x, i64 %i) {
  %own = alloca [4 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %x, i64 16, i1 false)
  %p = getelementptr [4 x i32], ptr %own, i64 0, i64 %i
  %v = load i32, ptr %p
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; SAID: kernel restless is {{.*}} loads what the kernel has computed
define ptx_kernel void @restless(ptr %x, i64 %i) {
  %own = alloca [4 x i32]
  store volatile i32 1, ptr %own
  %p = getelementptr [4 x i32], ptr %own, i64 0, i64 %i
  %v = load i32, ptr %p
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; The address itself has another value in a clone.
; SAID: kernel addressed is {{.*}} addresses of local memory
define ptx_kernel void @addressed(ptr %x) {
  %own = alloca i32
  %a = ptrtoint ptr %own to i64
  %low = and i64 %a, 64
  %on = icmp eq i64 %low, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}
