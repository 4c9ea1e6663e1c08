// Functions for other units that call themselves: directly, and by way of a function of this file.
__device__ __noinline__ float power(int n, float x) {
  float y = 1;
#pragma gpuprof region("level")
  {
    if (n)
      y = power(n - 1, x) * x;
  }
  return y;
}

__device__ float odd_levels(int n, float x);
static __device__ __noinline__ float even_levels(int n, float x) { return n ? odd_levels(n - 1, x) + x : x; }
__device__ __noinline__ float odd_levels(int n, float x) { return n ? even_levels(n - 1, x) * x : x; }
