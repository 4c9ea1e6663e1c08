// ptxas accepts the comparison of lanes' addresses on the oldest supported architecture.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %toolkit --cuda-gpu-arch=sm_75 --cuda-device-only -fplugin-arg-gpuprof-check=on -O2 -c %s -o %t
// RUN: grep -c '_Z8gatheredPfPKi$gpuprof_warps' %t
__global__ void gathered(float *x, const int *indices) { x[threadIdx.x] = x[indices[threadIdx.x]]; }
