// lop3 of each of the 256 tables: of these three operands the lowest byte of the result is the table itself.
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: 256 of 256
#include <cstdio>

template <int Table> __device__ void each(unsigned a, unsigned b, unsigned c, unsigned *out) {
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(out[Table]) : "r"(a), "r"(b), "r"(c), "n"(Table));
  if constexpr (Table > 0)
    each<Table - 1>(a, b, c, out);
}

__global__ void run(unsigned a, unsigned b, unsigned c, unsigned *out) { each<255>(a, b, c, out); }

int main() {
  unsigned *out, right = 0;
  cudaMallocManaged(&out, 256 * sizeof *out);
  run<<<1, 1>>>(0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, out);
  cudaDeviceSynchronize();
  for (unsigned i = 0; i < 256; i++)
    right += out[i] == i * 0x01010101;
  printf("%u of 256\n", right);
}
