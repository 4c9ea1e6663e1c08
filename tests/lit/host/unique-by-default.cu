// Without options a GPU's code has address formulas, and no address clones. Code for the CPU device, which marks sectors itself, has
// none of both.
// RUN: %clangxx -fplugin=%plugin %minicuda --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -S -emit-llvm %s -o - | %FileCheck --check-prefix=GPU --implicit-check-not=gpuprof_addresses %s
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-device=cpu -O2 -S -emit-llvm --cuda-host-only %s -o - | %FileCheck --check-prefix=CPU --implicit-check-not=address_formula %s
// GPU: address_formula\090\09alone
// CPU: gpuprof-sheet
__global__ void scale(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

int main() { scale<<<1, 32>>>(nullptr); }
