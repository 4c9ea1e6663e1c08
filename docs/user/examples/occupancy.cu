// Two kernels with the same work: tiles of 48 KiB of shared memory, and of 4 KiB.
template <int FLOATS> __global__ void sum(const float *in, float *out, int n) {
  __shared__ float tile[FLOATS];
  float total = 0;
  for (int begin = 0; begin < n; begin += FLOATS) {
    for (int i = threadIdx.x; i < FLOATS; i += blockDim.x)
      tile[i] = in[begin + i];
    __syncthreads();
    for (int i = threadIdx.x; i < FLOATS; i += blockDim.x)
      total += tile[FLOATS - 1 - i];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

int main() {
  const int n = 12288, blocks = 264, threads = 128;
  float *in, *out;
  cudaMalloc(&in, n * sizeof *in);
  cudaMalloc(&out, blocks * threads * sizeof *out);
  cudaMemset(in, 0, n * sizeof *in);
  sum<12288><<<blocks, threads>>>(in, out, n);
  sum<1024><<<blocks, threads>>>(in, out, n);
  return cudaDeviceSynchronize();
}
