// The code for the GPU and for the CPU device counts alike at every level of optimisation: convergent instructions
// are not merged, constructors call one another, and copies of local memory are joined in both or in neither.
// RUN: %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx80 -fplugin-arg-gpuprof-count=inkernel -O0 -emit-llvm -S %s -o %t.gpu0.ll
// RUN: %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs --cuda-host-only -fplugin-arg-gpuprof-device=cpu -fplugin-arg-gpuprof-arch=sm_80 -fplugin-arg-gpuprof-count=inkernel -O0 -emit-llvm -S %s -o %t.cpu0.ll
// RUN: %py %S/Inputs/halves.py %t.gpu0.ll %t.cpu0.ll
// RUN: %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx80 -fplugin-arg-gpuprof-count=inkernel -O1 -emit-llvm -S %s -o %t.gpu1.ll
// RUN: %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs --cuda-host-only -fplugin-arg-gpuprof-device=cpu -fplugin-arg-gpuprof-arch=sm_80 -fplugin-arg-gpuprof-count=inkernel -O1 -emit-llvm -S %s -o %t.cpu1.ll
// RUN: %py %S/Inputs/halves.py %t.gpu1.ll %t.cpu1.ll
#include "cuda.h"

__device__ inline unsigned lane() {
  unsigned value;
  asm("mov.u32 %0, %%laneid;" : "=r"(value)); // is convergent: read anew each time
  return value;
}

struct Pair {
  unsigned low, high;
  __device__ Pair(unsigned value) : low(value), high(value + 1) {} // at -O0 one constructor calls another
};

struct Block {
  unsigned words[16];
};
__device__ __attribute__((noinline)) void change(Block &block) { block.words[block.words[0] % 16] += 7; }

__global__ void twice(unsigned *out) {
  const unsigned a = lane() * 3 + 1, b = lane() * 3 + 1;
  Pair pair(a ^ b);
  out[0] = a;
  out[1] = b + pair.low * pair.high;
}

__global__ void copies(Block *out) {
  Block first = {}, second = out[1]; // filled and copied
  change(second);
  first = second;
  change(first);
  out[0] = first;
}

int main() {}
