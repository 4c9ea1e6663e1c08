; A clone counts a kernel that branches on a variable which is not set on every way: a branch on an unset value has no defined
; behaviour. A freeze makes it defined, and may choose another value in the kernel.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone;remarks>,verify' -pass-remarks=gpuprof -S %s -o %t 2>%t.remarks
; RUN: %FileCheck --check-prefix=REMARK %s <%t.remarks
target triple = "nvptx64-nvidia-cuda"

; REMARK: kernel unset is counted by {{.*}} in a clone
define ptx_kernel void @unset(ptr %p, i32 %n, i32 %m) "target-cpu"="sm_90" {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %sets, label %join
sets:
  %set = icmp slt i32 %m, 7
  br label %join
join:
  %v = phi i1 [ %set, %sets ], [ undef, %entry ]
  br i1 %v, label %stores, label %out
stores:
  store float 1.0, ptr %p
  br label %out
out:
  ret void
}

; REMARK: kernel frozen is counted by {{.*}} a value that is not defined
define ptx_kernel void @frozen(ptr %p, i32 %n, i32 %m) "target-cpu"="sm_90" {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %sets, label %join
sets:
  %set = icmp slt i32 %m, 7
  br label %join
join:
  %v = phi i1 [ %set, %sets ], [ undef, %entry ]
  %f = freeze i1 %v
  br i1 %f, label %stores, label %out
stores:
  store float 1.0, ptr %p
  br label %out
out:
  ret void
}
