/* The ordinary first CUDA program, with one line added: the region pragma.
 *
 *   gpuprof cc -O2 vector_add.cu -o vector_add && ./vector_add && gpuprof report gpuprof-*.json
 */
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>

#include <vector>

__global__ void vector_add(const float *a, const float *b, float *c, int count) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < count)
    c[i] = a[i] + b[i];
}

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    fprintf(stderr, "vector_add: %s\n", cudaGetErrorString(error));
    exit(1);
  }
}

int main(void) {
  const int count = 50000;
  const size_t bytes = count * sizeof(float);
  std::vector<float> a(count), b(count), c(count);
  for (int i = 0; i < count; ++i) {
    a[i] = (float)rand() / (float)RAND_MAX;
    b[i] = (float)rand() / (float)RAND_MAX;
  }

  float *device_a, *device_b, *device_c;
  check(cudaMalloc((void **)&device_a, bytes));
  check(cudaMalloc((void **)&device_b, bytes));
  check(cudaMalloc((void **)&device_c, bytes));
  check(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
  check(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));

  const int block = 256, grid = (count + block - 1) / block;
#pragma gpuprof region("vector_add")
  vector_add<<<grid, block>>>(device_a, device_b, device_c, count);
  check(cudaGetLastError());

  check(cudaMemcpy(c.data(), device_c, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i)
    if (c[i] != a[i] + b[i]) {
      fprintf(stderr, "vector_add: element %d is %g, not %g\n", i, c[i], a[i] + b[i]);
      return 1;
    }
  check(cudaFree(device_a));
  check(cudaFree(device_b));
  check(cudaFree(device_c));
  printf("%d sums are right\n", count);
  return 0;
}
