// cuda::atomic_ref with memory orders and scopes.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 --cuda-gpu-arch=sm_80 -std=c++17 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cuda/atomic>
__global__ void run(int *p, int *flag) {
  cuda::atomic_ref<int, cuda::thread_scope_device> a(p[0]);
  a.fetch_add(2, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_block> m(p[1]);
  m.fetch_max((int)threadIdx.x);
  cuda::atomic_ref<int, cuda::thread_scope_system> f(*flag);
  int expected = 0;
  if (f.compare_exchange_strong(expected, 1))
    a.fetch_sub(1000);
}

int main() {
  Values<int, 2> p;
  Values<int, 1> flag;
  run<<<1, 64>>>(p.device, flag.device);
  p.read(), flag.read();
  EXPECT(p.host[0] == 128 - 1000 && p.host[1] == 63 && flag.host[0] == 1);
  return finish();
}
