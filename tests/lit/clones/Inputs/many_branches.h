// Two kernels with few registers whose clones need many: forty branches, each with a counter.
struct Rates {
  int every[40];
};

template <int N> __device__ void store(const Rates &rates, int turn, float *out) {
  if ((turn ^ rates.every[N]) % 7 == N % 5)
    out[N * 1024] = turn;
  if constexpr (N > 0)
    store<N - 1>(rates, turn, out);
}

__global__ void unbounded(float *out, Rates rates, int turns) {
  for (int turn = threadIdx.x; turn < turns; turn += blockDim.x)
    store<39>(rates, turn, out);
}

__global__ void __launch_bounds__(256, 2) bounded(float *out, Rates rates, int turns) {
  for (int turn = threadIdx.x; turn < turns; turn += blockDim.x)
    store<39>(rates, turn, out);
}

// Counted by a clone reading memory: an instrumented kernel exists, too. It needs few registers.
__global__ void by_memory(const int *__restrict__ turns, float *__restrict__ out) {
  for (int turn = threadIdx.x; turn < *turns; turn += blockDim.x)
    out[turn] = turn;
}
