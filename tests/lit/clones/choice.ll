; auto takes free clones, and a clone reading memory only if it is much cheaper than the kernel.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=auto;remarks>,verify' -pass-remarks=gpuprof -disable-output %s 2>&1 | %FileCheck --check-prefix=AUTO %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone;remarks>,verify' -pass-remarks=gpuprof -disable-output %s 2>&1 | %FileCheck --check-prefix=CLONE %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=inkernel;remarks>,verify' -pass-remarks=gpuprof -disable-output %s 2>&1 | %FileCheck --check-prefix=KERNEL --implicit-check-not=clone %s
; On the CPU counters cost next to nothing.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=auto;remarks>,verify' -pass-remarks=gpuprof -disable-output %s 2>&1 | %FileCheck --check-prefix=KERNEL --implicit-check-not=clone %s
target triple = "nvptx64-nvidia-cuda"

; AUTO: kernel free is {{.*}}, in a clone with 4 instructions of its own, once for each configuration
; CLONE: kernel free is {{.*}}, in a clone with 4 instructions of its own, once for each configuration
; KERNEL: kernel free is counted by 2 counters, 0 regions{{$}}
define ptx_kernel void @free(ptr %x, i32 %n) #0 {
  %on = icmp eq i32 %n, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; AUTO: kernel short is {{.*}}, in the kernel, since its control flow depends on memory that a clone would read at each launch, for not much less than the kernel
; CLONE: kernel short is {{.*}}, at each launch
; KERNEL: kernel short is counted by 2 counters, 0 regions{{$}}
define ptx_kernel void @short(ptr noalias %n, ptr %x) #0 {
  %v = load i32, ptr %n
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}

; AUTO: kernel long is {{.*}}, at each launch
; CLONE: kernel long is {{.*}}, at each launch
; KERNEL: kernel long is counted by {{[0-9]}} counters, 0 regions{{$}}
define ptx_kernel void @long(ptr noalias %n, ptr %x) #0 {
entry:
  %v = load i32, ptr %n
  %some = icmp sgt i32 %v, 0
  br i1 %some, label %outer, label %end
outer:
  %j = phi i32 [ 0, %entry ], [ %nextj, %latch ]
  br label %head
head:
  %i = phi i32 [ 0, %outer ], [ %next, %head ]
  %w = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %f = load float, ptr %p
  %g = fmul float %f, %f
  %h = fadd float %g, 2.0
  store float %h, ptr %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %head, label %latch
latch:
  %nextj = add nuw nsw i32 %j, 1
  %morej = icmp slt i32 %nextj, %v
  br i1 %morej, label %outer, label %end
end:
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
