// Kernels whose device functions another unit defines.
#include "calls.h"
#include "run.h"

enum { N = 96 };

extern "C" __device__ int next(int n) { return factorial(n - 1); }

#pragma gpuprof region("kernel")
__global__ void kernel(float *x, Pair *pairs, int *numbers) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[n];
#pragma gpuprof region("powers")
  {
    value = raise(value, 3);
    if (n % 3 == 0)
      value = raise(value, n % 4);
  }
#pragma gpuprof region("rest")
  {
    value = raise(value, 1);
    pairs[n] = split(pairs, n);
    value *= both(value);
    value = stepped(value, 4);
  }
  x[n] = value;
  numbers[n] = factorial(n % 5 + 1);
}

int main() {
  static float values[N];
  static Pair halves[N];
  static int numbers[N];
  for (int i = 0; i < N; ++i)
    values[i] = 1.0f, halves[i] = {1.0f, 4.0f};
  float *x = to_device(values, N);
  Pair *pairs = to_device(halves, N);
  int *results = to_device(numbers, N);
#pragma gpuprof region("host")
  for (int i = 0; i < 2; ++i)
    kernel<<<2, N / 2>>>(x, pairs, results);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  to_host(halves, pairs, N);
  to_host(numbers, results, N);
  EXPECT(halves[5].first == 243.0f && halves[5].second == 36.0f);
  EXPECT(numbers[0] == 1 && numbers[4] == 120);
  return finish();
}
