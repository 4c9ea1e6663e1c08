// Square root, exponential and relatives of __half and of __half2.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cuda_fp16.h>
__global__ void run(float *out) {
  __half x = __float2half(4.0f);
  out[0] = __half2float(hsqrt(x)), out[1] = __half2float(hexp2(x)), out[2] = __half2float(hlog2(x)),
  out[3] = __half2float(hrcp(x));
  out[4] = __high2float(h2sqrt(__halves2half2(x, __float2half(9.0f))));
}

int main() {
  Values<float, 5> out;
  run<<<1, 1>>>(out.device);
  out.read();
  EXPECT(out.host[0] == 2 && out.host[1] == 16 && out.host[2] == 2 && out.host[3] == 0.25f &&
         out.host[4] == 3);
  return finish();
}
