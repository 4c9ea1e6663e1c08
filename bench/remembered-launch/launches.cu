/* The cost of a launch for the host, in nanoseconds: launches of one short kernel
 * with the same arguments, in batches. Prints the median over the batches.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(const float *a, float *b, int n, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += scale * a[i];
}

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    fprintf(stderr, "launches: %s\n", cudaGetErrorString(error));
    exit(1);
  }
}

int main() {
  const int batches = 400, launches = 100, n = 32;
  float *a, *b;
  check(cudaMalloc((void **)&a, n * sizeof(float)));
  check(cudaMalloc((void **)&b, n * sizeof(float)));
  check(cudaMemset(a, 0, n * sizeof(float)));
  check(cudaMemset(b, 0, n * sizeof(float)));
  std::vector<double> cost;
  for (int batch = 0; batch < batches; ++batch) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; ++i)
      add<<<1, 32>>>(a, b, n, 2.0f);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    cost.push_back(taken.count() / launches);
    check(cudaDeviceSynchronize());
  }
  std::sort(cost.begin(), cost.end());
  printf("%.1f\n", cost[cost.size() / 2]);
  return 0;
}
