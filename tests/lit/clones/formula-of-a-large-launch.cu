// With formulas a launch of any size is counted at once: its clone would have two million million threads. Launches with
// sizes that differ each time have exact counts, and no clone runs.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=formula -O2 %s -o %t %link
// RUN: %gpuprof run --counts-only -o %t.json -- %t
// RUN: %py %S/../run/Inputs/kernel_has.py %t.json add counts launches=101 threads=2048000012800 flops.fp32.add=2000000004950 bytes.global.load=8000000019800 bytes.global.store=8000000019800
// RUN: %py %S/../run/Inputs/kernel_has.py %t.json sum counts launches=1 threads=25600000 flops.fp32.add=4999999493503 bytes.global.load=19999997974012 bytes.global.store=102400000
#include <cstdio>

__global__ void add(float *x, long n) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] + 1.0f;
}

__global__ void sum(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int j = 0; i < n && j <= i; ++j)
    s += x[j];
  x[i] = s;
}

int main() {
  add<<<2000000000, 1024>>>(nullptr, 2000000000000);
  for (int n = 0; n < 100; ++n)
    add<<<1, 128>>>(nullptr, n);
  sum<<<100000, 256>>>(nullptr, 3162277);
  return cudaGetLastError() != cudaSuccess;
}
