// Monte Carlo with a generator of its own: pi from points in a square, and random walks
// ending outside of an interval, so the number of steps differs from thread to thread.
// RUN: %program
#include "program.h"

enum { THREADS = 64, BLOCKS = 3, ALL = THREADS * BLOCKS, SAMPLES = 100, EDGE = 6 };

// L'Ecuyer's combined Tausworthe generator taus88, of 32 bits.
struct Generator {
  unsigned s1, s2, s3;
  __host__ __device__ explicit Generator(unsigned seed)
      : s1(seed * 2654435761u | 16), s2(seed * 40503u | 32), s3(~seed) {}
  __host__ __device__ unsigned next() {
    s1 = (s1 & ~1u) << 12 ^ (s1 << 13 ^ s1) >> 19;
    s2 = (s2 & ~7u) << 4 ^ (s2 << 2 ^ s2) >> 25;
    s3 = (s3 & ~15u) << 17 ^ (s3 << 3 ^ s3) >> 11;
    return s1 ^ s2 ^ s3;
  }
};

#pragma gpuprof region("carlo.pi")
__global__ void points(unsigned *inside) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  Generator g(thread);
  unsigned mine = 0;
  for (int i = 0; i < SAMPLES; i++) {
    float x = (float)(g.next() >> 8) * 0x1p-24f, y = (float)(g.next() >> 8) * 0x1p-24f;
    mine += x * x + y * y < 1.0f;
  }
  atomicAdd(&sum, mine);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(inside, sum);
}

#pragma gpuprof region("carlo.walks")
__global__ void walks(int *steps, int *end) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, at = 0, n = 0;
  Generator g(thread);
  while (at > -EDGE && at < EDGE) {
    at += g.next() >> 31 ? 1 : -1;
    n++;
#pragma gpuprof count("steps", 1)
  }
  steps[thread] = n;
  end[thread] = at;
}

int main() {
  Buffer<unsigned> inside(1);
  Buffer<int> steps(ALL), end(ALL);
  points<<<BLOCKS, THREADS>>>(inside.device);
  walks<<<BLOCKS, THREADS>>>(steps.device, end.device);
  inside.down();
  steps.down();
  end.down();
  unsigned expected = 0;
  long long all_steps = 0;
  for (int thread = 0; thread < ALL; thread++) {
    Generator g(thread), walk(thread);
    for (int i = 0; i < SAMPLES; i++) {
      float x = (float)(g.next() >> 8) * 0x1p-24f, y = (float)(g.next() >> 8) * 0x1p-24f;
      expected += std::fma(x, x, y * y) < 1.0f; // exact but for the last place
    }
    int at = 0, n = 0;
    for (; at > -EDGE && at < EDGE; n++)
      at += walk.next() >> 31 ? 1 : -1;
    all_steps += n;
    EXPECT(steps[thread] == n && end[thread] == at);
  }
  EXPECT(inside[0] == expected);
  EXPECT(near(4.0 * inside[0] / (ALL * SAMPLES), 3.14159, 0.02) && all_steps > 10 * ALL);

  const long long samples = ALL * SAMPLES;
  counts("points", {{"flops.fp32.mul", 3 * samples}, // one square, and the scale of both coordinates
                    {"flops.fp32.fma", 2 * samples},
                    {"bytes.global.atomic", 4 * BLOCKS},
                    {"bytes.shared.load", 4 * BLOCKS},
                    {"bytes.shared.store", 4 * BLOCKS},
                    {"bytes.shared.atomic", 4 * ALL},
                    {"atomic_ops", BLOCKS + ALL}});
  counts("walks", {{"bytes.global.store", 8 * ALL}, {"user_counters.steps", all_steps}});
  return finish();
}
