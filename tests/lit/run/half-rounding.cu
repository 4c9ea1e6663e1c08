// hfloor, hceil, htrunc and hrint give whole numbers in half precision, of pairs too.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cuda_fp16.h>
__global__ void run(const float *in, float *out) {
  __half x = __float2half(in[threadIdx.x]);
  float *o = out + 5 * threadIdx.x;
  o[0] = __half2float(hfloor(x)), o[1] = __half2float(hceil(x)), o[2] = __half2float(htrunc(x)),
  o[3] = __half2float(hrint(x));
  o[4] = __low2float(h2ceil(__half2half2(x)));
}

int main() {
  Values<float, 3> in;
  Values<float, 15> out;
  const float v[3] = {2.5f, -1.75f, 3.5f}, e[15] = {2, 3, 2, 2, 3, -2, -1, -1, -2, -1, 3, 4, 3, 4, 4};
  memcpy(in.host, v, sizeof v);
  in.write();
  run<<<1, 3>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 15; i++)
    EXPECT(out.host[i] == e[i]);
  return finish();
}
