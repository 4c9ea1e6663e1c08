/* Launches of a kernel with a twin: it follows pointers that it writes, so that no clone can count it. Thread i of n
 * visits `length` links. Arguments: the number of launches, and of those with a grid of two blocks. */
#include "run.h"

#include <stdlib.h>

__global__ void follow(int *next, float *sum, int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = i;
  for (int t = 0; next[at] >= 0 && t < turns; ++t) {
    sum[i] += 1.5f;
    at = next[at] & 31;
  }
  next[i] = i;
}

int main(int argc, char **argv) {
  const int launches = argc > 1 ? atoi(argv[1]) : 10, wide = argc > 2 ? atoi(argv[2]) : 0;
  int *next;
  float *sum;
  OK(cudaMalloc(&next, 64 * sizeof *next));
  OK(cudaMalloc(&sum, 64 * sizeof *sum));
  OK(cudaMemset(next, 0, 64 * sizeof *next));
  OK(cudaMemset(sum, 0, 64 * sizeof *sum));
#pragma gpuprof region("chains")
  for (int i = 0; i < launches; ++i)
    follow<<<i < wide ? 2 : 1, 32>>>(next, sum, 4);
  float first = 0;
  OK(cudaMemcpy(&first, sum, sizeof first, cudaMemcpyDeviceToHost));
  EXPECT(first == 6.0f * launches);
  return finish();
}
