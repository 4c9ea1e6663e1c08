// With -g the message about a bad address names the source line, in both versions
// of DWARF and in inlined functions; with GPUPROF_SCHEDULE=strict also the thread.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 -gdwarf-4 %s -o %t.4 %link
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 -gline-tables-only -gdwarf-5 %s -o %t.5 %link
// RUN: env GPUPROF_OUTPUT=%t.json %t.4 2>%t.4.err | grep 'cudaErrorIllegalAddress'
// RUN: env GPUPROF_OUTPUT=%t.json GPUPROF_SCHEDULE=strict %t.5 2>%t.5.err | grep 'cudaErrorIllegalAddress'
// RUN: grep -F 'block (0,0,0): bad-address-line.cu:13: illegal access to address 0x' %t.4.err
// RUN: grep -E 'block .0,0,0., thread .7,0,0.: bad-address-line.cu:13: illegal access to address 0x[0-9a-f]+: no memory of the device is there$' %t.5.err
#include "run.h"

static __device__ void store(float *p, long i) {
  // One thread of many goes wrong.
  p[i] = 2;
}

__global__ void wild(float *p, long far) { store(p, threadIdx.x == 7 ? far : threadIdx.x); }

int main() {
  float zero[32] = {};
  float *p = to_device(zero, 32);
  wild<<<1, 32>>>(p, -(1l << 42));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
