// __cluster_dims__ of templates, with sizes depending on their parameters, in namespaces, on a declaration before the kernel.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "clusters.h"

template <unsigned X, unsigned Y> __global__ void __cluster_dims__(X, Y) of_values(unsigned *out) {
  out[blockIdx.x + gridDim.x * blockIdx.y] = cluster_size() * 100 + cluster_rank();
}

template <class T> struct Shape {
  enum { Size = sizeof(T) };
};
namespace inner {
template <class T> __global__ void __cluster_dims__(Shape<T>::Size) of_types(unsigned *out) {
  out[blockIdx.x] = cluster_size() * 100 + cluster_rank();
}
constexpr int Constant = 3;
__global__ void __cluster_dims__(Constant * 2, 1, 1) declared(unsigned *out);
__global__ void declared(unsigned *out) { out[blockIdx.x] = cluster_size() * 100 + cluster_rank(); }
} // namespace inner

int main() {
  Values<unsigned, 24> a, b, c, d;
  of_values<2, 1><<<24, 1>>>(a.device);
  of_values<2, 4><<<dim3(6, 4), 1>>>(b.device);
  inner::of_types<double><<<24, 1>>>(c.device);
  inner::declared<<<24, 1>>>(d.device);
  a.read(), b.read(), c.read(), d.read();
  for (unsigned i = 0; i < 24; i++) {
    EXPECT(a.host[i] == 200 + i % 2);
    EXPECT(b.host[i] == 800 + i % 6 % 2 + 2 * (i / 6 % 4));
    EXPECT(c.host[i] == 800 + i % 8);
    EXPECT(d.host[i] == 600 + i % 6);
  }
  of_values<2, 4><<<dim3(6, 3), 1>>>(b.device);
  EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize);
  return finish();
}
