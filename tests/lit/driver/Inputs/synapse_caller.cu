// Calls functions of synapse_callee.cu: in a region with the clause, and in one without.
__device__ void stated(int events, int fanout);
__device__ float derived(float v, float w);
__device__ float plain(float v, float w);

#pragma gpuprof region("kernel")
__global__ void kernel(float *v) {
  int i = threadIdx.x;
  stated(i % 3, 2);
  v[i] = derived(v[i], 2.0f);
  v[i] = plain(v[i], 3.0f);
#pragma gpuprof region("around") synapse
  v[i] = plain(v[i], 4.0f);
}

int main() {
  float *v;
  cudaMalloc((void **)&v, 32 * sizeof(float));
  kernel<<<1, 32>>>(v);
  cudaDeviceSynchronize();
}
