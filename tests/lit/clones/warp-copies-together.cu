// Kernels that compare lanes have no YIELD: lanes that wait for others behind a branch would go on without them, and
// reads of one address would count several times. ptxas writes one for atomics whose results it thinks are wanted.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %toolkit --cuda-gpu-arch=sm_90 --cuda-device-only -fplugin-arg-gpuprof-check=on -O2 -S %s -o %t.s
// RUN: %cudapath/bin/ptxas -arch=sm_90 %t.s -o %t.cubin
// RUN: %py %S/Inputs/yields_of.py %t.cubin | %FileCheck %s
// CHECK: _Z6gatherPKhPKfPf$gpuprof_warps 0
// CHECK: _Z7scatterPKhPKfPf$gpuprof_warps 0
__global__ void gather(const unsigned char *spikes, const float *weight, float *out) {
  float sum = 0;
  for (int k = 0; k < 8; k++)
    if (spikes[threadIdx.x + k])
      sum += weight[k];
  out[threadIdx.x] = sum;
}
__global__ void scatter(const unsigned char *spikes, const float *weight, float *out) {
  for (int k = 0; k < 64; k++)
    if (spikes[threadIdx.x + k])
      atomicAdd(&out[threadIdx.x % 8 + k], weight[k]);
}
