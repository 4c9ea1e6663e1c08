// A program without kernels calling the runtime.
#include <cuda_runtime.h>

int main() {
  int *p;
  return cudaMalloc(&p, 4) != cudaSuccess || cudaFree(p) != cudaSuccess;
}
