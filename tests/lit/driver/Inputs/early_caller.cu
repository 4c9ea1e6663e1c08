// For relocatable-before-main.test: launches of a kernel needing another unit, before and after main.
#include "run.h"

extern __device__ float sum[32];
__device__ float one();
__global__ void add() { sum[threadIdx.x] += one(); }

static void launch(const char *when) {
  float host[32] = {};
  add<<<1, 32>>>();
  OK(cudaMemcpyFromSymbol(host, sum, sizeof host));
  std::printf("%s %g\n", when, host[31]);
}

struct Launcher {
  Launcher() { launch("before"); }
  ~Launcher() { launch("after"); }
} launcher;

int main() {
  launch("main");
  return 0;
}
