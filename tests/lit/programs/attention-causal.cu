// Causal attention in three kernels: scores of the keys
// visible to a query, a softmax a row, the weighted values.
// RUN: %program_by_clones
#include "attention.h"

enum { HEADS = 2, N = 40, D = 16 };
static constexpr float SCALE = 0.25f, LOG2_E = 1.44269504f;

#pragma gpuprof region("attention.scores")
__global__ void scores(const float *q, const float *k, float *s) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y, head = blockIdx.z;
  if (j > i)
    return;
  const float *a = q + (head * N + i) * D, *b = k + (head * N + j) * D;
  float sum = 0;
  for (int d = 0; d < D; d++)
    sum += a[d] * b[d];
  s[(head * N + i) * N + j] = sum * SCALE;
}

#pragma gpuprof region("attention.softmax")
__global__ void softmax(float *s) { // a warp a row
  int i = blockIdx.x, lane = threadIdx.x;
  float *row = s + (blockIdx.y * N + i) * N;
  float most = -INFINITY, sum = 0;
  for (int j = lane; j <= i; j += 32)
    most = fmaxf(most, row[j]);
  for (int d = 16; d > 0; d /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
#pragma unroll 1 // else the compiler drops an addition to 0 where a lane has one key only
  for (int j = lane; j <= i; j += 32) {
    float p = exp2f((row[j] - most) * LOG2_E);
    row[j] = p;
    sum += p;
  }
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  for (int j = lane; j <= i; j += 32)
    row[j] = row[j] / sum;
}

#pragma gpuprof region("attention.values")
__global__ void values(const float *p, const float *v, float *out) {
  int d = threadIdx.x, i = blockIdx.x, head = blockIdx.y;
  float sum = 0;
  for (int j = 0; j <= i; j++)
    sum += p[(head * N + i) * N + j] * v[(head * N + j) * D + d];
  out[(head * N + i) * D + d] = sum;
}

int main() {
  Buffer<float> q(HEADS * N * D), k(HEADS * N * D), v(HEADS * N * D), s(HEADS * N * N), out(HEADS * N * D);
  Random random;
  for (auto *matrix : {&q, &k, &v}) {
    for (float &x : matrix->host)
      x = random.symmetric();
    matrix->up();
  }
#pragma gpuprof region("attention")
  {
#pragma gpuprof expect flops(4.0 * HEADS * N * N * D)
    scores<<<dim3((N + 31) / 32, N, HEADS), 32>>>(q.device, k.device, s.device);
    softmax<<<dim3(N, HEADS), 32>>>(s.device);
    values<<<dim3(N, HEADS), D>>>(s.device, v.device, out.device);
  }
  out.down();
  for (int head = 0; head < HEADS; head++) {
    const int at = head * N * D;
    auto expected =
        host_attention(&q[at], &k[at], &v[at], N, N, D, SCALE, [](int i, int j) { return j <= i; });
    for (int i = 0; i < N * D; i++)
      EXPECT(near(out[at + i], expected[i]));
  }

  const long long pairs = HEADS * N * (N + 1) / 2, rows = HEADS * N;
  counts("scores", {{"flops.fp32.fma", 2 * pairs * D},
                    {"flops.fp32.mul", pairs},
                    {"bytes.global.load", 8 * pairs * D},
                    {"bytes.global.store", 4 * pairs}});
  // A pair: the maximum is taken off and the base changed, an exp2, a sum, a division; a lane: five sums of
  // the row.
  counts("softmax", {{"flops.fp32.add", 2 * pairs + rows * 32 * 5},
                     {"flops.fp32.mul", pairs},
                     {"flops.fp32.div", pairs},
                     {"special_functions", pairs},
                     {"bytes.global.load", 12 * pairs},
                     {"bytes.global.store", 8 * pairs}});
  counts("values", {{"flops.fp32.fma", 2 * pairs * D},
                    {"bytes.global.load", 8 * pairs * D},
                    {"bytes.global.store", 4 * rows * D}});
  return finish();
}
