// As nvcc takes it: no #include at all.
__global__ void count(int *sum, int n) {
  assert(threadIdx.x < 4);
  if (threadIdx.x < n)
    atomicAdd(sum, 1);
  else
    printf("not this one\n");
}

int main() {
  int *sum, n = 0;
  if (time(nullptr) < 0 || cudaMallocManaged(&sum, sizeof *sum) != cudaSuccess)
    return 1;
  *sum = 0;
  for (int one : {1, 1, 1})
    n += std::move(one);
  count<<<1, n>>>(sum, n);
  assert(cudaDeviceSynchronize() == cudaSuccess && strlen("x") == 1);
  printf("%d of %d\n", *sum, n);
}
