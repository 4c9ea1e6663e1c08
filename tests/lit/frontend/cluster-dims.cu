// __cluster_dims__ reaches the GPU's code, of templates too, where clang alone writes nothing; on a function it says nothing.
// RUN: %clangxx -fplugin=%plugin -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 --cuda-feature=+ptx78 -isystem %inputs -emit-llvm -S -Wno-unknown-cuda-version %s -o - 2> %t.err | %FileCheck %s
// RUN: %if llvm-at-least-20 %{ %FileCheck --allow-empty --check-prefix=NEW %s < %t.err %} %else %{ %FileCheck --check-prefix=OLD %s < %t.err %}
// OLD: warning: the size of its clusters that 'three' names is lost on a GPU, since clang {{[0-9]+}} cannot write it: give it to cudaLaunchKernelEx, or use clang 20 or newer
// NEW-NOT: warning:
// CHECK: define {{.*}}@_Z5threePf({{.*}} [[THREE:#[0-9]+]]
// CHECK: define {{.*}}@_Z5plainPf({{.*}} [[PLAIN:#[0-9]+]]
// CHECK: define {{.*}}@_Z4sizeILj4EEvPf({{.*}} [[FOUR:#[0-9]+]]
// CHECK: attributes [[THREE]] = { {{.*}}"nvvm.cluster_dim"="3,2,1"
// CHECK-NOT: attributes [[PLAIN]] = { {{.*}}cluster
// CHECK: attributes [[FOUR]] = { {{.*}}"nvvm.cluster_dim"="4,1,1"
#include <cuda.h>
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
__global__ void __cluster_dims__(3, 2) three(float *x) { *x = 1; }
__global__ void plain(float *x) { *x = 2; }
template <unsigned N> __global__ void __cluster_dims__(N, 1, 1) size(float *x) { *x = N; }
template __global__ void size<4>(float *);
