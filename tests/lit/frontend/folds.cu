// A region before a fold of a template: its instantiations begin where the fold's first operand does.
// Older clangs print attributes in another way.
// REQUIRES: llvm-at-least-19
// RUN: %clangxx -std=c++17 -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs --cuda-device-only -fsyntax-only -Xclang -ast-print %s 2>&1 | %FileCheck %s
#include "cuda.h"

__device__ void one(float *p, int n) { p[n] = 1; }

template <int... N> __device__ void right(float *p) {
#pragma gpuprof region("right")
  (one(p, N), ...);
}
template <int... N> __device__ void left(float *p) {
#pragma gpuprof region("left")
  (..., (one(p, N)));
}
template <int... N> __device__ void with_first(float *p) {
#pragma gpuprof region("with first")
  (one(p, 7), ..., one(p, N));
}
template <class... T> __device__ void sum(float *p, T... x) {
  if (sizeof...(T) > 1)
#pragma gpuprof region("sum")
    (p[0] += ... += x);
}
// CHECK: template<> {{.*}}void right{{<+}}1, 2{{>+}}(float *p)
// CHECK: __gpuprof_enter("name=right\t
// CHECK-NEXT: one(p, 1) , one(p, 2)
// CHECK: template<> {{.*}}void left{{<+}}3{{>+}}(float *p)
// CHECK: __gpuprof_enter("name=left\t
// CHECK-NEXT: (one(p, 3))
// CHECK: template<> {{.*}}void with_first{{<+}}4, 5{{>+}}(float *p)
// CHECK: __gpuprof_enter("name=with first\t
// CHECK-NEXT: one(p, 7) , one(p, 4) , one(p, 5)
// CHECK: template<> {{.*}}void sum{{<+}}float, int{{>+}}(float *p, float {{.*}}, int {{.*}})
// CHECK: __gpuprof_enter("name=sum\t
// CHECK-NEXT: p[0] += {{.*}}+=
__global__ void all(float *p) {
  right<1, 2>(p);
  left<3>(p);
  with_first<4, 5>(p);
  sum(p, 2.0f, 3);
}
