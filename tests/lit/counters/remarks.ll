; One remark a kernel, at its line if known.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<cpu;remarks>' -pass-remarks=gpuprof -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<cpu>' -pass-remarks=gpuprof -disable-output %s 2>&1 | %FileCheck %s --check-prefix=SILENT --allow-empty
target triple = "nvptx64-nvidia-cuda"
; CHECK: remark: {{.*}}kernel plain(int) is counted by 1 counter, 0 regions
; SILENT-NOT: remark
define ptx_kernel void @_Z5plaini(i32 %n) {
  %x = add i32 %n, 1
  ret void
}
