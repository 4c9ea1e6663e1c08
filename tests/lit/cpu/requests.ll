; On request of the module each access of global memory names its request: by its place, the iteration of
; the enclosing loops and the preceding calls. Accesses too large for one instruction are several requests.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s | %FileCheck %s
; RUN: sed '/^!gpuprof.requests/d' %s | %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S | %FileCheck --check-prefix=PLAIN %s
; PLAIN-NOT: __gpuprof_cpu_request
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [32 x float] undef

; CHECK-LABEL: define {{.*}}@f
; CHECK: [[CALLED:%.*]] = call i64 @__gpuprof_cpu_called()
; CHECK: [[KEY:%.*]] = xor i64 [[CALLED]],
; CHECK: call void @__gpuprof_cpu_request(ptr %{{.*}}, i64 [[KEY]], ptr %{{.*}}, i64 2)
; CHECK: [[KEY:%.*]] = xor i64 [[CALLED]],
; CHECK: call void @__gpuprof_cpu_request(ptr %{{.*}}, i64 [[KEY]], ptr %{{.*}}, i64 2)
; CHECK: store float %{{.*}}, align 2
define internal void @f(ptr addrspace(1) %p, float %x) noinline {
  store float %x, ptr addrspace(1) %p, align 2
  ret void
}

; CHECK-LABEL: define internal void @k.body.cpu
; CHECK: loop:
; CHECK-NEXT: [[I:%.*]] = phi i64 [{{.*}}
; CHECK: [[NEXT:%.*]] = add i64 [[I]], 1
; CHECK: [[KEY:%.*]] = mul i64 {{.*}}, -7046029254386353131
; CHECK: [[FIRST:%.*]] = xor i64 [[KEY]],
; CHECK: call void @__gpuprof_cpu_request(ptr %{{.*}}, i64 [[FIRST]], ptr %{{.*}}, i64 4)
; CHECK: load float
; CHECK: [[SECOND:%.*]] = xor i64 [[KEY]],
; CHECK: call void @__gpuprof_cpu_calls(i64 [[SECOND]])
; CHECK: done:
; CHECK: call void @__gpuprof_cpu_request(ptr %{{.*}}, i64 {{[-0-9]+}}, ptr %{{.*}}, i64 16)
; CHECK: call void @__gpuprof_cpu_request(ptr %{{.*}}, i64 {{[-0-9]+}}, ptr %{{.*}}, i64 16)
; CHECK: store <8 x float>
; CHECK-NOT: __gpuprof_cpu_request
; CHECK: ret void
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load float, ptr addrspace(1) %at
  call void @f(ptr addrspace(1) %p, float %x)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store <8 x float> zeroinitializer, ptr addrspace(1) %p, align 32
  store float 0.0, ptr addrspace(3) @shared
  ret void
}

!gpuprof.requests = !{}
