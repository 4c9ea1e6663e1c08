// Loads, stores, atomics and asynchronous copies of inline PTX under a predicate touch memory only where it holds.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

// Where a lane's number is odd the pointers are null.
__global__ void some(int *data, int *sum, int *out) {
  __shared__ int copy[32];
  int lane = lane_id(), even = lane % 2 == 0, value = -1;
  int *own = even ? data + lane : nullptr;
  copy[lane] = -2;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p ld.global.s32 %0, [%1]; }" : "+r"(value) : "l"(own), "r"(even) : "memory");
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p cp.async.ca.shared.global [%0], [%1], 4; }" ::"r"(
                   (unsigned)__cvta_generic_to_shared(copy + lane)),
               "l"(own), "r"(even)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %2, 0; @!p red.global.add.s32 [%0], %1; }" ::"l"(even ? sum : nullptr), "r"(value), "r"(even)
               : "memory");
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p st.global.s32 [%0], %1; }" ::"l"(own), "r"(7), "r"(even) : "memory");
  out[lane] = value, out[32 + lane] = copy[lane];
}

int main() {
  Values<int, 32> data;
  Values<int, 1> sum;
  Values<int, 64> out;
  for (int i = 0; i < 32; i++)
    data.host[i] = 100 + i;
  data.write();
  some<<<1, 32>>>(data.device, sum.device, out.device);
  data.read(), sum.read(), out.read();
  int expected = 0;
  for (int i = 0; i < 32; i++) {
    const bool even = i % 2 == 0;
    expected += even ? 100 + i : 0;
    EXPECT(out.host[i] == (even ? 100 + i : -1) && out.host[32 + i] == (even ? 100 + i : -2));
    EXPECT(data.host[i] == (even ? 7 : 100 + i));
  }
  EXPECT(sum.host[0] == expected);
  return finish();
}
