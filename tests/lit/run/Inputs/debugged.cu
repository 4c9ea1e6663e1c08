// For a debugger: the test names lines of this file.
#include <cstdio>

__global__ void scale(float *data, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  data[i] = x * factor;
}

__global__ void reverse(int *data) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = 2 * t;
  __syncthreads();
  int other = s[31 - t];
  data[t] = other;
}

int main() {
  float host[128], *data;
  for (int i = 0; i < 128; i++)
    host[i] = 0.5f * (float)i;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<2, 64>>>(data, 3);
  reverse<<<1, 32>>>((int *)data);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
