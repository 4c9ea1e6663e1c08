/* Functions that are not inlined, called from several places and from each other, with
 * directives, shared memory and barriers. Their counts must not depend on the way of counting. */
#include "run.h"

struct Particle {
  float position, speed;
};

__device__ __noinline__ float decay(float x, int turns) {
  for (int i = 0; i < turns; ++i)
    x *= 0.5f;
#pragma gpuprof region("decayed")
  {
    x += 1.0f;
#pragma gpuprof count("turns", turns)
  }
  return x;
}

__device__ __noinline__ void step(Particle &p, int n) {
  if (n & 1)
    p.position += p.speed;
  p.speed = decay(p.speed, n);
}

__device__ __noinline__ float block_sum(float mine) {
  __shared__ float all[64];
  all[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      all[threadIdx.x] += all[threadIdx.x + half];
    __syncthreads();
  }
  return all[0];
}

#pragma gpuprof region("particles")
__global__ void particles(Particle *all, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int t = 0; t < n; ++t)
    step(all[i], t);
#pragma gpuprof region("again")
  all[i].position = decay(all[i].position, i % 3);
}

__global__ void sums(float *x, const int *__restrict__ rounds) {
  for (int r = 0; r < rounds[blockIdx.x]; ++r)
    x[blockIdx.x] = decay(block_sum(x[blockIdx.x]), 2);
}

int main() {
  Particle *all;
  float *x;
  int *rounds;
  const int many[] = {3, 0, 2};
  OK(cudaMalloc(&all, 128 * sizeof *all));
  OK(cudaMemset(all, 0, 128 * sizeof *all));
  OK(cudaMalloc(&x, 3 * sizeof *x));
  OK(cudaMemset(x, 0, 3 * sizeof *x));
  OK(cudaMalloc(&rounds, sizeof many));
  OK(cudaMemcpy(rounds, many, sizeof many, cudaMemcpyHostToDevice));
  const int lengths[] = {5, 0, 5, 2};
  for (int n : lengths)
    particles<<<2, 64>>>(all, n);
  sums<<<3, 64>>>(x, rounds);
  OK(cudaDeviceSynchronize());
  return finish();
}
