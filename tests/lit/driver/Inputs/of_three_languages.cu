// The CUDA file of a program in three languages.
#include <cstdio>

extern "C" int twice(int);
int devices();

__global__ void seven(int *p) { *p = 7; }

int main() {
  int *p, value = 0;
  cudaMalloc(&p, sizeof *p);
  seven<<<1, 1>>>(p);
  cudaMemcpy(&value, p, sizeof *p, cudaMemcpyDeviceToHost);
  printf("%d kernel, %d C, %d device\n", value, twice(value), devices());
}
