// Decoding with several query heads to one head of keys and values: each step appends to a cache and reads
// all of it.
// RUN: %program
#include "attention.h"

enum { HEADS = 4, D = 32, PROMPT = 10, STEPS = 12, MOST = PROMPT + STEPS };
static constexpr float SCALE = 0.17677669f, LOG2_E = 1.44269504f;

__global__ void append(const float *k, const float *v, float *cache_k, float *cache_v, int at) {
  cache_k[at * D + threadIdx.x] = k[at * D + threadIdx.x];
  cache_v[at * D + threadIdx.x] = v[at * D + threadIdx.x];
}

#pragma gpuprof region("decode.attend")
__global__ void attend(const float *q, const float *cache_k, const float *cache_v, float *out, int length) {
  __shared__ float score[MOST];
  int lane = threadIdx.x, head = blockIdx.x;
  float own = q[head * D + lane], most = -INFINITY;
  for (int j = 0; j < length; j++) {
    float sum = own * cache_k[j * D + lane];
    for (int d = 16; d > 0; d /= 2)
      sum += __shfl_xor_sync(~0u, sum, d);
    sum *= SCALE * LOG2_E;
    most = fmaxf(most, sum);
    if (lane == 0)
      score[j] = sum;
  }
  __syncwarp();
  float total = 0, sum = 0;
  for (int j = 0; j < length; j++) {
    float p = exp2f(score[j] - most);
    total += p;
    sum += p * cache_v[j * D + lane];
  }
  out[head * D + lane] = sum / total;
}

int main() {
  Buffer<float> k(MOST * D), v(MOST * D), cache_k(MOST * D), cache_v(MOST * D), q(HEADS * D), out(HEADS * D);
  Random random;
  for (auto *matrix : {&k, &v, &q}) {
    for (float &x : matrix->host)
      x = random.symmetric();
    matrix->up();
  }
  for (int at = 0; at < PROMPT; at++)
    append<<<1, D>>>(k.device, v.device, cache_k.device, cache_v.device, at);
  long long read = 0;
#pragma gpuprof region("decode") phase(forward)
  for (int step = 0; step < STEPS; step++) {
#pragma gpuprof step(step)
    const int length = PROMPT + step + 1;
#pragma gpuprof expect flops(4.0 * HEADS * length * D) items(1)
    append<<<1, D>>>(k.device, v.device, cache_k.device, cache_v.device, length - 1);
    attend<<<HEADS, D>>>(q.device, cache_k.device, cache_v.device, out.device, length);
    read += length;
    out.down();
    auto expected =
        host_attention(&q[0], &k[0], &v[0], HEADS, length, D, SCALE, [](int, int) { return true; });
    for (int i = 0; i < HEADS * D; i++)
      EXPECT(near(out[i], expected[i]));
    q.host = out.host; // the next token's queries
    q.up();
  }

  // A key and lane: a product and five sums of the score, the change of base, the maximum taken off, an exp2,
  // a sum, and a fused product with the value.
  const long long keys = HEADS * read, lanes = keys * D;
  counts("append", {{"bytes.global.load", 8 * MOST * D}, {"bytes.global.store", 8 * MOST * D}});
  // The first shuffle's product goes to another lane and into this lane's sum: a product and an fma.
  counts("attend", {{"flops.fp32.mul", 2 * lanes},
                    {"flops.fp32.add", 6 * lanes},
                    {"flops.fp32.fma", 4 * lanes},
                    {"flops.fp32.div", STEPS * HEADS * D},
                    {"special_functions", lanes},
                    {"bytes.shared.store", 4 * keys},
                    {"bytes.shared.load", 4 * lanes},
                    {"bytes.global.load", 8 * lanes + 4 * STEPS * HEADS * D},
                    {"bytes.global.store", 4 * STEPS * HEADS * D}});
  return finish();
}
