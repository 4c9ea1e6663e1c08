// cp.async through __pipeline_memcpy_async: two stages in shared memory, waited for in turn.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 --cuda-gpu-arch=sm_80 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cuda_pipeline.h>
__global__ void copy(const float4 *in, float4 *out) {
  __shared__ float4 s[2][32];
  int t = threadIdx.x;
  for (int stage = 0; stage < 2; stage++) {
    __pipeline_memcpy_async(&s[stage][t], &in[32 * stage + t], sizeof(float4));
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  out[t] = s[0][31 - t];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[32 + t] = s[1][31 - t];
}

int main() {
  Values<float4, 64> in, out;
  for (int i = 0; i < 64; i++)
    in.host[i] = make_float4(i, i + 0.25f, i + 0.5f, i + 0.75f);
  in.write();
  copy<<<1, 32>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 64; i++)
    EXPECT(out.host[i].w == (i / 32 * 32 + 31 - i % 32) + 0.75f);
  return finish();
}
