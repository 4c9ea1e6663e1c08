// Operations not supported by the CPU device: copies gathering rows by tensor maps, products with scales
// of blocks, memory of many GPUs, returns in inline PTX, and intrinsics reading performance monitors. A
// warning names each at compile time, and each stops only the launch reaching it, at its line.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link 2>%t.compile
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck %s
// RUN: %FileCheck --check-prefix=COMPILE --input-file=%t.compile %s
// RUN: %FileCheck --check-prefix=STOP --input-file=%t.err %s
// CHECK: all right
#include "lanes.h"

#define KERNEL(name, text)                                                                                   \
  __global__ void name(int *p, int yes) {                                                                    \
    *p = 1;                                                                                                  \
    if (yes)                                                                                                 \
      asm volatile(text ::"r"(0), "l"(p) : "memory");                                                        \
  }
KERNEL(scatter, "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%1, {%0, %0, %0, %0, %0}], [%0];")
KERNEL(many_gpus, "multimem.red.relaxed.sys.global.add.u32 [%1], %0;")
KERNEL(scaled, "{ .reg .b32 d<2>; mma.sync.aligned.m16n8k16.row.col.kind::mxf8f6f4.block_scale.f16.f16.f16.f16 {d0,d1}, {%0,%0}, {%0,%0}, {%0,%0}; }")
KERNEL(returns, "{ .reg .pred p; setp.eq.s32 p, %0, 0; @p ret; }")
__global__ void intrinsics(int *p, int yes) {
  *p = 1;
  if (yes)
    atomicAdd(p, (int)__nvvm_read_ptx_sreg_pm0());
}

// COMPILE-DAG: operations.cu:[[#@LINE-10]]:{{.*}}: warning: the CPU device cannot run inline asm "cp.async.bulk.tensor
// COMPILE-DAG: operations.cu:[[#@LINE-10]]:{{.*}}: warning: the CPU device cannot run inline asm "multimem.red
// COMPILE-DAG: operations.cu:[[#@LINE-10]]:{{.*}}: warning: the CPU device cannot run inline asm "{{.*}}mxf8f6f4
// COMPILE-DAG: operations.cu:[[#@LINE-10]]:{{.*}}: warning: the CPU device cannot run inline asm "{{.*}}ret
// COMPILE-DAG: operations.cu:[[#@LINE-7]]:{{.*}}: warning: the CPU device cannot run intrinsic llvm.nvvm.read.ptx.sreg.pm0

// STOP: gpuprof: error: scatter{{.*}}operations.cu:[[#@LINE-16]]: the CPU device cannot run inline asm "cp.async.bulk.tensor
// STOP: gpuprof: error: many_gpus{{.*}}operations.cu:[[#@LINE-16]]: the CPU device cannot run inline asm "multimem
// STOP: gpuprof: error: scaled{{.*}}operations.cu:[[#@LINE-16]]: the CPU device cannot run inline asm "{{.*}}mxf8f6f4
// STOP: gpuprof: error: returns{{.*}}operations.cu:[[#@LINE-16]]: the CPU device cannot run inline asm
// STOP: gpuprof: error: intrinsics{{.*}}operations.cu:[[#@LINE-13]]: the CPU device cannot run intrinsic llvm.nvvm.read.ptx.sreg.pm0

int main() {
  void (*kernels[])(int *, int) = {scatter, many_gpus, scaled, returns, intrinsics};
  for (auto *kernel : kernels) {
    int *p = nullptr, value = 0;
    OK(cudaMalloc(&p, sizeof *p));
    kernel<<<1, 1>>>(p, 0);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
    EXPECT(value == 1);
    kernel<<<1, 1>>>(p, 1);
    EXPECT(cudaDeviceSynchronize() == cudaErrorNotSupported);
    OK(cudaDeviceReset());
  }
  return finish();
}
