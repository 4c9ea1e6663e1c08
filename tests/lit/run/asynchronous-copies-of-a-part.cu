// cp.async with fewer bytes of source than of destination fills the rest with zeros.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 --cuda-gpu-arch=sm_80 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cuda_pipeline.h>
__global__ void copy(const int4 *in, int4 *out, int n) {
  __shared__ int4 s[4];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(int4), 4 * n);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[t];
}

int main() {
  Values<int4, 4> in, out;
  for (int i = 0; i < 4; i++)
    in.host[i] = make_int4(i + 1, i + 2, i + 3, i + 4);
  in.write();
  copy<<<1, 4>>>(in.device, out.device, 1);
  out.read();
  for (int i = 0; i < 4; i++)
    EXPECT(out.host[i].x == i + 1 && out.host[i].y == i + 2 && out.host[i].z == i + 3 && out.host[i].w == 0);
  return finish();
}
