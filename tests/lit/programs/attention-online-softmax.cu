// Attention in one kernel: keys and values by tiles in shared memory, and a softmax rescaled
// at each larger score. The number of rescalings depends on the data, and is counted.
// RUN: %program
#include "attention.h"

enum { N = 96, D = 16, TILE = 32 };
static constexpr float SCALE = 0.25f, LOG2_E = 1.44269504f;

#pragma gpuprof region("flash")
__global__ void flash(const float *q, const float *k, const float *v, float *out) {
  __shared__ float tk[TILE][D], tv[TILE][D];
  int i = blockIdx.x * TILE + threadIdx.x;
  float own[D], sum[D], most = -INFINITY, total = 0;
#pragma unroll
  for (int d = 0; d < D; d++) {
    own[d] = q[i * D + d];
    sum[d] = 0;
  }
  for (int first = 0; first < N; first += TILE) {
    for (int e = threadIdx.x; e < TILE * D; e += TILE) {
      tk[e / D][e % D] = k[first * D + e];
      tv[e / D][e % D] = v[first * D + e];
    }
    __syncthreads();
    for (int j = 0; j < TILE; j++) {
      float score = 0;
#pragma gpuprof region("flash.scores")
#pragma unroll
      for (int d = 0; d < D; d++)
        score += own[d] * tk[j][d];
      if (score > most) {
#pragma gpuprof region("flash.rescale")
        {
          float factor = exp2f((most - score) * (SCALE * LOG2_E));
          most = score;
          total *= factor;
#pragma unroll
          for (int d = 0; d < D; d++)
            sum[d] *= factor;
#pragma gpuprof count("rescales", 1)
        }
      }
      float p = exp2f((score - most) * (SCALE * LOG2_E));
      total += p;
#pragma gpuprof region("flash.values")
#pragma unroll
      for (int d = 0; d < D; d++)
        sum[d] += p * tv[j][d];
    }
    __syncthreads();
  }
#pragma unroll
  for (int d = 0; d < D; d++)
    out[i * D + d] = sum[d] / total;
}

int main() {
  Buffer<float> q(N * D), k(N * D), v(N * D), out(N * D);
  Random random;
  for (auto *matrix : {&q, &k, &v}) {
    for (float &x :
         matrix->host) // eighths: scores are exact, so host and device agree on the larger one
      x = (float)(random.below(17) - 8) / 8;
    matrix->up();
  }
  flash<<<N / TILE, TILE>>>(q.device, k.device, v.device, out.device);
  out.down();
  auto expected = host_attention(&q[0], &k[0], &v[0], N, N, D, SCALE, [](int, int) { return true; });
  for (int i = 0; i < N * D; i++)
    EXPECT(near(out[i], expected[i]));

  long long rescales = 0;
  for (int i = 0; i < N; i++) {
    float most = -INFINITY;
    for (int j = 0; j < N; j++) {
      float score = 0;
      for (int d = 0; d < D; d++)
        score += q[i * D + d] * k[j * D + d];
      rescales += score > most;
      most = std::fmax(most, score);
    }
  }
  EXPECT(rescales > N && rescales < N * N / 4);
  const long long pairs = N * N;
  counts("region:flash.scores", {{"flops.fp32.fma", 2 * pairs * D}, {"bytes.shared.load", 4 * pairs * D}});
  counts("region:flash.values", {{"flops.fp32.fma", 2 * pairs * D}, {"bytes.shared.load", 4 * pairs * D}});
  counts("region:flash.rescale", {{"flops.fp32.add", rescales},
                                  {"flops.fp32.mul", rescales * (2 + D)},
                                  {"special_functions", rescales},
                                  {"user_counters.rescales", rescales}});
  counts("flash", {{"flops.fp32.fma", 4 * pairs * D},
                   {"flops.fp32.add", rescales + 2 * pairs},
                   {"flops.fp32.mul", rescales * (2 + D) + pairs},
                   {"flops.fp32.div", N * D},
                   {"special_functions", rescales + pairs},
                   {"user_counters.rescales", rescales},
                   {"bytes.shared.load", 8 * pairs * D},
                   {"bytes.shared.store", 8 * (N / TILE) * N * D},
                   {"bytes.global.load", 4 * N * D + 8 * (N / TILE) * N * D},
                   {"bytes.global.store", 4 * N * D}});
  return finish();
}
