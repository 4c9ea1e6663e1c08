// A tree reduction: a barrier in every iteration of a loop; its shared bytes are the closed form.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json reduce bytes.shared.load=2044 bytes.shared.store=2044 bytes.global.load=1024 bytes.global.store=4
// CHECK: all right
#include "lanes.h"

__global__ void reduce(const float *in, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t]; // 256 stores
  __syncthreads();
  for (int n = 128; n; n /= 2) { // 255 times two loads and a store
    if (t < n)
      s[t] += s[t + n];
    __syncthreads();
  }
  if (t == 0)
    *out = s[0];
}

int main() {
  Values<float, 256> in;
  Values<float, 1> out;
  for (int i = 0; i < 256; i++)
    in.host[i] = i;
  in.write();
  reduce<<<1, 256>>>(in.device, out.device);
  out.read();
  EXPECT(out.host[0] == 255 * 256 / 2);
  return finish();
}
