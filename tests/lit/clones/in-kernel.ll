; Reasons for counting in the kernel, as the remark gives them. No kernel here has a clone.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone;remarks>,verify' -pass-remarks=gpuprof -S %s -o %t 2>%t.remarks
; RUN: %FileCheck %s <%t.remarks
; RUN: ! grep -e '[$]gpuprof_count' -e gpuprof.unknown %t
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.smid()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare void @elsewhere()
@shared = internal addrspace(3) global [32 x i32] undef
@address = global ptr @used

; CHECK: kernel written is counted by {{.*}} in the kernel, since its control flow depends on loads from memory that the kernel may write
define ptx_kernel void @written(ptr %x) {
  %v = load i32, ptr %x
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %x
  br label %end
end:
  ret void
}

; A pointer from memory may point anywhere: nothing can be compared at a launch.
; CHECK: kernel aliased is {{.*}} loads from memory that the kernel may write
define ptx_kernel void @aliased(ptr %in, ptr %table) {
  %out = load ptr, ptr %table
  %v = load i32, ptr %in
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %out
  br label %end
end:
  ret void
}

; CHECK: kernel waits is {{.*}} loads from memory that the kernel may write
define ptx_kernel void @waits(ptr noalias %flag) {
entry:
  br label %head
head:
  %v = load volatile i32, ptr %flag
  %on = icmp eq i32 %v, 0
  br i1 %on, label %head, label %end
end:
  ret void
}

; CHECK: kernel atomically is {{.*}} the result of an atomic operation
define ptx_kernel void @atomically(ptr %x) {
  %v = atomicrmw add ptr %x, i32 1 monotonic
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel shared_memory is {{.*}} loads from shared memory
define ptx_kernel void @shared_memory(ptr %x) {
  %v = load i32, ptr addrspace(3) @shared
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel shuffled is {{.*}} the result of a call, of another lane, or of inline assembly
define ptx_kernel void @shuffled(ptr %x, i32 %n) {
  %v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %n, i32 0, i32 31)
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; A register with another value in each launch.
; CHECK: kernel placed is {{.*}} the result of a call, of another lane, or of inline assembly
define ptx_kernel void @placed(ptr %x) {
  %v = call i32 @llvm.nvvm.read.ptx.sreg.smid()
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel assembly is {{.*}} the result of a call, of another lane, or of inline assembly
define ptx_kernel void @assembly(ptr %x) {
  %v = call i32 asm "mov.u32 $0, %smid;", "=r"()
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; Instruction selection fuses a product and a sum in the one and perhaps not in the other.
; CHECK: kernel rounded is {{.*}} floating-point arithmetic that may be rounded in another way
define ptx_kernel void @rounded(ptr %x, float %a, float %b) {
  %m = fmul contract float %a, %b
  %s = fadd contract float %m, %a
  %on = fcmp ogt float %s, 1.0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel undefined is {{.*}} a value that is not defined
define ptx_kernel void @undefined(ptr %x, i32 %n) {
  %v = add i32 %n, undef
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel calls is {{.*}} it calls what may end a thread, or is not known
define ptx_kernel void @calls() {
  call void @elsewhere()
  ret void
}

; CHECK: kernel ends is {{.*}} it calls what may end a thread, or is not known
define ptx_kernel void @ends(i32 %n) {
  call void asm sideeffect "exit;", ""()
  ret void
}

; Who has the address may write there.
; CHECK: kernel local is {{.*}} loads what the kernel has computed
define ptx_kernel void @local(ptr %x, i32 %n) {
  %a = alloca [4 x i32]
  store i32 %n, ptr %a
  store ptr %a, ptr %x
  %v = load i32, ptr %a
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; A structure passed by value is the thread's own memory: its writes must not be forgotten.
; CHECK: kernel own_copy is {{.*}} loads what the kernel has computed
define ptx_kernel void @own_copy(ptr byval({ i32, i32 }) align 4 %size, ptr %x, i32 %n) {
  store i32 %n, ptr %size
  %v = load i32, ptr %size
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; CHECK: kernel used is {{.*}} device code uses its address
define ptx_kernel void @used() {
  ret void
}

; The counts of each step go into a store on the device.
; CHECK: kernel steps is {{.*}} it has steps
declare void @gpuprof.value.step(i64)
define ptx_kernel void @steps(i64 %t) {
  call void @gpuprof.value.step(i64 %t)
  ret void
}

; CHECK: kernel recurs is {{.*}} it calls a function that calls itself
define ptx_kernel void @recurs(ptr %x, i32 %n) {
  call void @recursive(ptr %x, i32 %n)
  ret void
}
define internal void @recursive(ptr %x, i32 %n) noinline {
  store i32 %n, ptr %x
  %on = icmp sgt i32 %n, 0
  br i1 %on, label %again, label %end
again:
  %less = sub i32 %n, 1
  call void @recursive(ptr %x, i32 %less)
  br label %end
end:
  ret void
}

; CHECK: kernel calls_what_ends is {{.*}} it calls what may end a thread, or is not known
define ptx_kernel void @calls_what_ends() {
  call void @ending()
  ret void
}
define internal void @ending() noinline {
  call void asm sideeffect "exit;", ""()
  ret void
}
