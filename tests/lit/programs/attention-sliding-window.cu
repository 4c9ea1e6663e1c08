// Attention to the last WINDOW keys: a warp a query, a lane a key for the scores and a column for the
// values.
// RUN: %program
#include "attention.h"

enum { N = 80, D = 32, WINDOW = 24 };
static constexpr float SCALE = 0.17677669f, LOG2_E = 1.44269504f;

#pragma gpuprof region("window")
__global__ void window(const float *q, const float *k, const float *v, float *out) {
  int i = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (i >= N)
    return;
  int first = i - WINDOW + 1 > 0 ? i - WINDOW + 1 : 0, keys = i - first + 1;
  float score = -INFINITY; // of a lane without a key: its weight will be 0
  if (lane < keys) {
    float sum = 0;
#pragma gpuprof region("window.scores")
    for (int d = 0; d < D; d++)
      sum += q[i * D + d] * k[(first + lane) * D + d];
    score = sum * (SCALE * LOG2_E);
#pragma gpuprof count("pairs", 1)
  }
  float most = score;
  for (int d = 16; d > 0; d /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  float p = exp2f(score - most), total = p, sum = 0;
  for (int d = 16; d > 0; d /= 2)
    total += __shfl_xor_sync(~0u, total, d);
#pragma gpuprof region("window.values")
  for (int j = 0; j < keys; j++)
    sum += __shfl_sync(~0u, p, j) * v[(first + j) * D + lane];
  out[i * D + lane] = sum / total;
}

int main() {
  Buffer<float> q(N * D), k(N * D), v(N * D), out(N * D);
  Random random;
  for (auto *matrix : {&q, &k, &v}) {
    for (float &x : matrix->host)
      x = random.symmetric();
    matrix->up();
  }
  window<<<N / 4, 128>>>(q.device, k.device, v.device, out.device);
  out.down();
  auto expected = host_attention(&q[0], &k[0], &v[0], N, N, D, SCALE,
                                 [](int i, int j) { return j <= i && j > i - WINDOW; });
  for (int i = 0; i < N * D; i++)
    EXPECT(near(out[i], expected[i]));

  // Pairs of a band of WINDOW diagonals. A lane: the maximum taken off, an exp2, five sums of the row, one
  // division; a pair: the change of base.
  const long long pairs = WINDOW * N - WINDOW * (WINDOW - 1) / 2;
  counts("region:window.scores", {{"flops.fp32.fma", 2 * pairs * D}, {"bytes.global.load", 8 * pairs * D}});
  counts("region:window.values", {{"flops.fp32.fma", 2 * pairs * D}, {"bytes.global.load", 4 * pairs * D}});
  counts("window", {{"flops.fp32.fma", 4 * pairs * D},
                    {"flops.fp32.mul", pairs},
                    {"flops.fp32.add", 6 * 32 * N},
                    {"flops.fp32.div", N * D},
                    {"special_functions", 32 * N},
                    {"user_counters.pairs", pairs},
                    {"bytes.global.load", 12 * pairs * D},
                    {"bytes.global.store", 4 * N * D}});
  return finish();
}
