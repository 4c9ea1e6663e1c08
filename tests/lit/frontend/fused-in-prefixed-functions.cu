// Code for a GPU keeps its fused products and sums, also in functions with the names of gpuprof's own CUDA header.
// RUN: %clangxx -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -Wno-unknown-cuda-version -fplugin=%plugin -O1 -S -emit-llvm %s -o - | %FileCheck %s
// CHECK: fmul contract float
// CHECK: fadd contract float
extern "C" __attribute__((device)) float gpuprof_like(float a, float b, float c) { return a * b + c; }
