// Launches kernels with and without tensor instructions in a program with much memory or little, for tests/gpu/hardware.
// usage: hardware KERNEL LAUNCHES MIB. Prints milliseconds of the first launch and of each further one, and a sum of the results.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

static constexpr int COUNT = 1 << 18;

// In place: results show whether the memory was put back between the runs of a launch.
__global__ void update(float *x) {
  __shared__ float tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float own = x[i];
  tile[threadIdx.x] = own;
  __syncthreads();
  float value = own + tile[255 - threadIdx.x];
  for (int k = 0; k < 16; ++k)
    value = value * 0.5f + 1.0f;
  x[i] = value;
}

__global__ void matrices(float *x) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  float c[4] = {x[i], 0, 0, 0};
  const unsigned ones = 0x3f803f80; // two of bf16
  for (int k = 0; k < 4; ++k)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%4,%4,%4},{%4,%4},{%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(ones));
  x[i] = c[0] + c[1] + c[2] + c[3];
}

static double now() { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

int main(int count, char **arguments) {
  if (count != 4)
    return 2;
  const bool has_matrices = !strcmp(arguments[1], "matrices");
  const int launches = atoi(arguments[2]);
  const size_t bytes = static_cast<size_t>(atoll(arguments[3])) << 20;
  float *x;
  char *rest = nullptr;
  if (cudaMalloc(&x, COUNT * sizeof *x) || (bytes && (cudaMalloc(&rest, bytes) || cudaMemset(rest, 1, bytes))) ||
      cudaMemset(x, 0, COUNT * sizeof *x) || cudaDeviceSynchronize())
    return 1;
  double first = 0, start = now();
  for (int i = 0; i < launches; ++i) {
    if (has_matrices)
      matrices<<<COUNT / 256, 256>>>(x);
    else
      update<<<COUNT / 256, 256>>>(x);
    if (!i && !cudaDeviceSynchronize()) {
      first = now() - start;
      start = now();
    }
  }
  if (cudaDeviceSynchronize())
    return 1;
  const double each = (now() - start) / (launches - 1);
  std::vector<float> host(COUNT);
  cudaMemcpy(host.data(), x, COUNT * sizeof *x, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : host)
    sum += value;
  printf("%.3f %.3f %.17g\n", first, each, sum);
  return 0;
}
