// Regions inside a kernel, in a loop and in a device function, below a region of the host.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json compute flops.fp32.add=12800 flops.fp32.mul=1280 special_functions=1280
// RUN: %py %S/Inputs/kernel_has.py %t.json region:step counts launches=1 flops.fp32.add=12800 flops.fp32.mul=1280 special_functions=1280 bytes.global.load=5120 bytes.global.store=5120
// RUN: %py %S/Inputs/kernel_has.py %t.json region:sum flops.fp32.add=12800 flops.total=12800
// RUN: %py %S/Inputs/kernel_has.py %t.json region:exponent flops.fp32.mul=1280 special_functions=1280 flops.total=1280
// CHECK: all right
#include "run.h"

__device__ float exponent(float x) {
#pragma gpuprof region("exponent")
  { return __expf(x); }
}

__global__ void compute(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = exponent(a[i]);
#pragma gpuprof region("sum")
  for (int k = 0; k < n; k++)
    x += k % 2 ? x : 1.0f;
  a[i] = x;
}

int main() {
  static float a[1280];
  float *p = to_device(a, 1280);
#pragma gpuprof region("step") phase(forward)
  compute<<<10, 128>>>(p, 10);
  OK(cudaDeviceSynchronize());
  to_host(a, p, 1280);
  EXPECT(a[7] == a[1279] && a[0] > 1);
  return finish();
}
