// Unique bytes of accesses by inline PTX, predicated and partial: as seen by
// the CPU device, found by address clones and marked by marking kernels.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-unique=on -fplugin-arg-gpuprof-count=clone -fplugin-arg-gpuprof-remarks -O1 -I%S/../run/Inputs %s -o %t %link 2>&1 | %FileCheck --check-prefix=WAYS %s
// RUN: for way in auto clones copies; do env GPUPROF_UNIQUE=$way GPUPROF_OUTPUT=%t.$way.json %t || exit 1; done
// RUN: %py %source/tests/gpu/compare_unique.py %t.auto.json %t.clones.json
// RUN: %py %source/tests/gpu/compare_unique.py %t.auto.json %t.copies.json | %FileCheck %s
// WAYS: kernel copies({{.*}} unique bytes by an address clone, once for each configuration
// WAYS: kernel chosen({{.*}} unique bytes by an address clone, at each launch
// 70 rows of 16 bytes and 100 bytes, in sectors of 32; and the stores.
// CHECK-DAG: copiesPKcPi {{ *}}[[#mul(35,32)+mul(4,32)+256]]
// Where a flag is set, each eighth lane: its flag, a load and a store of 4 bytes, 16 bytes and 64 apart.
// CHECK-DAG: chosen{{.*}} [[#128+mul(4,32)+mul(4,32)]]
#include "lanes.h"

static __device__ unsigned in_shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// One row of 16 bytes a turn and thread, below a bound; then the rest of 100 bytes.
__global__ void copies(const char *in, int *out) {
  __shared__ int4 buffer[64];
  const int t = threadIdx.x;
  for (int row = t; row < 128; row += 64)
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.cg.shared.global [%1], [%2+0], 16; }" ::"r"(
                     (int)(row < 70)),
                 "r"(in_shared(buffer + t)), "l"(in + 16 * row)
                 : "memory");
  const int left = 100 - 16 * t;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(in_shared(buffer + t)), "l"(in + 4096 + 16 * t),
               "r"(left < 0 ? 0 : left < 16 ? left : 16)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  asm volatile("st.global.s32 [%0+4], %1;" ::"l"(out + t - 1), "r"(buffer[t].x) : "memory");
}

// Where a lane's flag is set.
__global__ void chosen(const int *__restrict__ flags, const char *in, char *out) {
  const int t = threadIdx.x;
  int value;
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %3, 1; @p ld.global.s32 %0, [%1]; @p st.global.s32 [%2], %0; }"
               : "=&r"(value)
               : "l"(in + 16 * t), "l"(out + 64 * t), "r"(flags[t]));
}

int main() {
  char *in;
  OK(cudaMalloc(&in, 8192));
  OK(cudaMemset(in, 1, 8192));
  Values<int, 64> out;
  copies<<<1, 64>>>(in, out.device);
  Values<int, 32> flags;
  for (int i = 0; i < 32; i += 8)
    flags.host[i] = 1;
  flags.write();
  chosen<<<1, 32>>>(flags.device, in, in + 4096);
  OK(cudaDeviceSynchronize());
  return finish();
}
