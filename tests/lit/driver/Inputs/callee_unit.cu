// Functions called by kernels of the other unit: with regions, a counter, steps, a struct as result, and a call back.
#include "calls.h"

#pragma gpuprof region("raise")
__device__ float raise(float value, int times) {
  for (int i = 0; i < times; ++i)
    value *= 1.5f;
  return value;
}

static __device__ __noinline__ float first_of(const Pair &pair) {
#pragma gpuprof region("first")
  return pair.first * raise(pair.second, 2);
}

__device__ Pair split(const Pair *pairs, int which) {
  return Pair{first_of(pairs[which]), pairs[which].second * 3.0f};
}

__device__ float both(float value) {
#pragma gpuprof region("both")
  {
#pragma gpuprof count("positive", value > 0.0f)
    return raise(value, 1) * 0.25f;
  }
}

__device__ float stepped(float value, int steps) {
#pragma gpuprof region("stepped")
  for (int t = 0; t < steps; ++t) {
#pragma gpuprof step(t)
    for (int i = 0; i < t; ++i)
      value *= 0.75f;
  }
  return value;
}

__device__ int factorial(int n) {
#pragma gpuprof region("factorial")
  {
#pragma gpuprof count("calls", 1)
    return n < 2 ? 1 : n * next(n);
  }
}
