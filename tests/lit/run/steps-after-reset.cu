// cudaDeviceReset() frees the device's memory with the steps of
// kernels: they were read before, and later steps are added.
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 %s %link -o %t
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t
// RUN: %py %S/Inputs/directives.py %t.json | %FileCheck --match-full-lines %s

#pragma gpuprof region("kernel")
__global__ void kernel(float *p, int first) {
  float v = p[threadIdx.x];
  for (int t = first; t < first + 2; ++t) {
#pragma gpuprof step(t)
    v *= 0.5f;
  }
  p[threadIdx.x] = v;
}

static void launch(int first) {
  float *p;
  cudaMalloc((void **)&p, 32 * sizeof(float));
  cudaMemset(p, 0, 32 * sizeof(float));
#pragma gpuprof region("host")
  kernel<<<1, 32>>>(p, first);
}

int main() {
  launch(0);
  cudaDeviceReset();
  launch(1);
  cudaDeviceReset();
}

// CHECK: host/kernel: 2 executions, 2 launches, 128 FLOPs
// CHECK-NEXT:   step 0: 32 FLOPs
// CHECK-NEXT:   step 1: 64 FLOPs
// CHECK-NEXT:   step 2: 32 FLOPs
