// The host's system headers may declare functions of __float128, a type missing
// on GPUs: both device compiles skip them, the GPU's and the CPU device's.
// RUN: %clangxx -fplugin=%plugin -x cuda --cuda-device-only -nocudainc -nocudalib -isystem %inputs -isystem %S/Inputs/system -emit-llvm -S -Wno-unknown-cuda-version %s -o - | %FileCheck %s
// RUN: %clangxx -fplugin=%plugin %minicuda -isystem %S/Inputs/system -c %s -o /dev/null
// CHECK: define {{.*}}@_Z6kernelPf(
#ifndef GPUPROF_MINICUDA_CUDA_RUNTIME_H
#include <cuda.h>
#endif
#include <quad.h>
__global__ void kernel(float *x) { *x = 1; }

#ifdef __SIZEOF_FLOAT128__
quad use(quad x) { return quad_square(x); }
#endif
