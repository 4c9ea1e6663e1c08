// Special functions of C++17's <cmath> are the host's: for the CPU device they are read only where the program names one.
// RUN: %clangxx -fplugin=%plugin %minicuda -std=c++17 -S -o %t.s -isystem %S/Inputs/special-functions %s
// RUN: ! %clangxx -fplugin=%plugin %minicuda -std=c++17 -DNAMED -S -o %t.s -isystem %S/Inputs/special-functions %s >%t.said 2>&1
// RUN: %FileCheck --input-file=%t.said %s --implicit-check-not=error:
// CHECK: error: definitions of the special functions are read for the CPU device
// RUN: %clangxx -fplugin=%plugin %minicuda -std=c++17 -DNAMED -O1 %s -o %t %link
// RUN: %t
#include <cmath>

__global__ void twice(double *value) { *value *= 2; }

int main() {
  double *value;
  if (cudaMallocManaged(&value, sizeof *value) != cudaSuccess)
    return 1;
#if defined(NAMED)
  *value = std::riemann_zeta(2.0) + std::beta(1.0, 1.0); // pi² / 6 + 1
#else
  *value = 2.64493407;
#endif
  twice<<<1, 1>>>(value);
  return cudaDeviceSynchronize() == cudaSuccess && std::abs(*value - 5.28986813) < 1e-6 ? 0 : 1;
}
