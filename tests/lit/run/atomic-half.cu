// atomicAdd of __half2, __half and __nv_bfloat162.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 --cuda-gpu-arch=sm_80 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void add(__half2 *pair, __half *one, __nv_bfloat162 *b) {
  atomicAdd(pair, __floats2half2_rn(0.5f, 2.0f));
  atomicAdd(one, __float2half(1.0f));
  atomicAdd(b, __floats2bfloat162_rn(1.0f, -1.0f));
}

__global__ void read(const __half2 *pair, const __half *one, const __nv_bfloat162 *b, float *out) {
  out[0] = __low2float(*pair), out[1] = __high2float(*pair), out[2] = __half2float(*one);
  out[3] = __low2float(*b), out[4] = __high2float(*b);
}

int main() {
  Values<unsigned, 3> cells;
  Values<float, 5> out;
  add<<<1, 64>>>((__half2 *)cells.device, (__half *)(cells.device + 1), (__nv_bfloat162 *)(cells.device + 2));
  read<<<1, 1>>>((__half2 *)cells.device, (__half *)(cells.device + 1), (__nv_bfloat162 *)(cells.device + 2),
                 out.device);
  out.read();
  EXPECT(out.host[0] == 32 && out.host[1] == 128 && out.host[2] == 64 && out.host[3] == 64 &&
         out.host[4] == -64);
  return finish();
}
