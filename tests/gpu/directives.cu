/* Directives on a GPU: values and synaptic operations in divergent flow, 64-bit
 * totals, negative amounts, partial warps, steps with numbers varying within a
 * warp, more steps than rows of their own, and functions that are not inlined.
 *   gpuprof cc -O2 directives.cu -o FOLDER/directives && tests/gpu/same-counts run FOLDER
 */
#include <cuda_runtime.h>

#include <stdio.h>

__device__ __noinline__ float deep(float v, int n) {
#pragma gpuprof region("deep") synapse
  {
#pragma gpuprof count("deep", n)
    return v * 1.5f + n;
  }
}

#pragma gpuprof region("values")
__global__ void values(float *p, int count) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= count)
    return;
  float v = p[n];
  for (int i = 0; i < n % 7; ++i) {
#pragma gpuprof count("large", 3000000000ll * i - n)
    v = v * 0.5f + 1.0f;
#pragma gpuprof spike(i % 3 - 1)
#pragma gpuprof synapse(i % 3, n - 2) inputs(3)
  }
  if (n % 5 == 0)
    v = deep(v, n);
  p[n] = v;
}

#pragma gpuprof region("steps")
__global__ void steps(float *p, int count, int number) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= count)
    return;
  float v = p[n];
#pragma gpuprof region("loop")
  for (int t = 0; t < number; ++t) {
#pragma gpuprof step(t + n % 2)
    v = v * 0.5f + 1.0f;
    if (t % 2)
      v = deep(v, t);
#pragma gpuprof spike(n % 4 == 0 ? 1 : n % 4 == 1 ? -1 : 0)
#pragma gpuprof synapse(n % 4 < 2, 1000000007ll * t) multiply inputs(1)
  }
  p[n] = v + 7.0f;
}

int main() {
  const int count = 10007;
  float *p;
  cudaMalloc((void **)&p, count * sizeof(float));
  cudaMemset(p, 0, count * sizeof(float));
#pragma gpuprof region("values.host")
  values<<<(count + 127) / 128, 128>>>(p, count);
#pragma gpuprof region("steps.host")
  for (int i = 0; i < 3; ++i) {
#pragma gpuprof step(i)
#pragma gpuprof expect flops(2.0 * count * (i + 1))
#pragma gpuprof synapse(i, count)
    steps<<<(count + 95) / 96, 96>>>(p, count, i == 2 ? 5000 : 4 + i);
  }
  cudaError_t error = cudaDeviceSynchronize();
  if (error)
    fprintf(stderr, "directives: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
