// Defines the variables of variables_there.cu.
#include "run.h"
#include "variables.h"

__device__ int counted = 5;
__device__ Pair pairs[4];
__constant__ float factors[2] = {2.0f, 3.0f};
static __device__ int own = 100; // there is another of this name

__global__ void fill(int *out) {
  atomicAdd(&counted, 1);
  pairs[threadIdx.x] = {(int)threadIdx.x, factors[threadIdx.x % 2]};
  *out = own;
}

int main() {
  int value = 0, *device = to_device(&value, 1);
  fill<<<1, 4>>>(device);
  to_host(&value, device, 1);
  EXPECT(value == 100);
  EXPECT(sum_there() == 5 + 4 + 0 + 1 + 2 + 3 + 2 * (2 + 3) + 7);
  const float others[2] = {10.0f, 20.0f};
  OK(cudaMemcpyToSymbol(factors, others, sizeof others));
  const int zero = 0;
  OK(cudaMemcpyToSymbol(counted, &zero, sizeof zero));
  fill<<<1, 4>>>(device);
  EXPECT(sum_there() == 0 + 4 + 0 + 1 + 2 + 3 + 2 * (10 + 20) + 7);
  return finish();
}
