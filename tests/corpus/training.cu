// A training step's work beside its products: classifiers, optimisers, embeddings, norms of gradients.
#include "corpus.h"
#include <cuda_fp16.h>

enum { ROWS = 23, CLASSES = 150, N = 2500, TOKENS = 61, WORDS = 40, WIDTH = 48, BLOCK = 64 };

__device__ float warp_max(float x) {
  for (int d = 16; d > 0; d >>= 1)
    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, d));
  return x;
}
__device__ float warp_sum(float x) {
  for (int d = 16; d > 0; d >>= 1)
    x += __shfl_xor_sync(0xffffffffu, x, d);
  return x;
}

__global__ void cross_entropy(const float *logits, const int *labels, float *loss, int classes) {
  int row = blockIdx.x;
  float most = -INFINITY, sum = 0;
  for (int j = threadIdx.x; j < classes; j += 32)
    most = fmaxf(most, logits[row * classes + j]);
  most = warp_max(most);
  for (int j = threadIdx.x; j < classes; j += 32)
    sum += __expf(logits[row * classes + j] - most);
  sum = warp_sum(sum);
  if (threadIdx.x == 0)
    loss[row] = __logf(sum) + most - logits[row * classes + labels[row]];
}

/* Loss and gradient in one kernel; the logits become their gradient. */
__global__ void cross_entropy_fused(float *logits, const int *labels, float *loss, int classes, float scale) {
  __shared__ float shared_most, shared_sum;
  float *row = logits + blockIdx.x * classes;
  int label = labels[blockIdx.x];
  if (threadIdx.x < 32) {
    float most = -INFINITY, sum = 0;
    for (int j = threadIdx.x; j < classes; j += 32) { // online
      float x = row[j], now = fmaxf(most, x);
      sum = sum * expf(most - now) + expf(x - now);
      most = now;
    }
    float all = warp_max(most);
    sum = warp_sum(sum * expf(most - all));
    if (threadIdx.x == 0) {
      shared_most = all;
      shared_sum = sum;
      loss[blockIdx.x] = logf(sum) - (row[label] - all);
    }
  }
  __syncthreads();
  float inverse = 1.0f / shared_sum;
  for (int j = threadIdx.x; j < classes; j += blockDim.x) {
    float p = expf(row[j] - shared_most) * inverse;
    row[j] = (p - (j == label ? 1.0f : 0.0f)) * scale;
  }
}

__global__ void cross_entropy_smoothed(const float *log_p, const int *labels, float *total, int rows,
                                       int classes, float smoothing) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float loss = 0;
  if (row < rows) {
    float sum = 0;
    for (int j = 0; j < classes; j++)
      sum += log_p[row * classes + j];
    loss = -(1 - smoothing) * log_p[row * classes + labels[row]] - smoothing / classes * sum;
  }
  loss = warp_sum(loss);
  if (threadIdx.x % 32 == 0)
    atomicAdd(total, loss);
}

__global__ void mean_squared_error(const float *a, const float *b, float *gradient, float *total, int n) {
  __shared__ float part[BLOCK];
  float sum = 0;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
    float d = a[i] - b[i];
    gradient[i] = 2 * d / n;
    sum += d * d;
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s /= 2) {
    if (threadIdx.x < s)
      part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(total, part[0] / n);
}

__global__ void sgd_momentum(float *w, const float *g, float *m, int n, float rate, float momentum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = momentum * m[i] + g[i];
    m[i] = v;
    w[i] -= rate * v;
  }
}

__global__ void sgd_nesterov(float *__restrict__ w, const float *__restrict__ g, float *__restrict__ m, int n,
                             float rate, float momentum, float decay) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float d = g[i] + decay * w[i];
    float v = momentum * m[i] + d;
    m[i] = v;
    w[i] = w[i] - rate * (d + momentum * v);
  }
}

__global__ void adam(float *w, const float *g, float *m, float *v, int n, float rate, float beta1,
                     float beta2, float epsilon, float correction1, float correction2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float d = g[i];
  m[i] = beta1 * m[i] + (1 - beta1) * d;
  v[i] = beta2 * v[i] + (1 - beta2) * d * d;
  w[i] -= rate * (m[i] / correction1) / (sqrtf(v[i] / correction2) + epsilon);
}

/* Four numbers a thread, weights kept in fp32 and written in fp16 beside. */
__global__ void adamw_mixed(float4 *w, __half2 *low, const float4 *g, float4 *m, float4 *v, int quarters,
                            float rate, float decay, float step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quarters)
    return;
  float4 w4 = w[i], g4 = g[i], m4 = m[i], v4 = v[i];
  float *ws = &w4.x, *gs = &g4.x, *ms = &m4.x, *vs = &v4.x;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    ms[k] += 0.125f * (gs[k] - ms[k]);
    vs[k] += 0.0625f * (gs[k] * gs[k] - vs[k]);
    ws[k] = ws[k] * (1 - rate * decay) - step * ms[k] * rsqrtf(vs[k] + 1e-6f);
  }
  w[i] = w4;
  m[i] = m4;
  v[i] = v4;
  low[2 * i] = __floats2half2_rn(ws[0], ws[1]);
  low[2 * i + 1] = __floats2half2_rn(ws[2], ws[3]);
}

__global__ void gradient_norm(const float *g, float *total, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += g[i] * g[i];
  sum = warp_sum(sum);
  __shared__ float part[BLOCK / 32];
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(total, part[0] + part[1]);
}

__global__ void gradient_clip(float *g, const float *squares, int n, float most) {
  float norm = sqrtf(*squares);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && norm > most)
    g[i] *= most / norm;
}

__global__ void embedding_gather(const int *tokens, const float4 *table, float4 *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, quarter = WIDTH / 4;
  if (i < count * quarter)
    out[i] = table[tokens[i / quarter] * quarter + i % quarter];
}

__global__ void embedding_position(const int *tokens, const float *words, const float *places, float *out,
                                   int length) {
  int token = blockIdx.x, d = threadIdx.x;
  out[token * WIDTH + d] = words[tokens[token] * WIDTH + d] * 8.0f + places[token % length * WIDTH + d];
}

__global__ void embedding_scatter_add(const int *tokens, const float *gradient, float *table, int count) {
  for (int token = blockIdx.x; token < count; token += gridDim.x)
    for (int d = threadIdx.x; d < WIDTH; d += blockDim.x)
      atomicAdd(&table[tokens[token] * WIDTH + d], gradient[token * WIDTH + d]);
}

/* A thread a word and column looks through all tokens: no atomics. */
__global__ void embedding_sorted_add(const int *tokens, const float *gradient, float *table, int count) {
  int word = blockIdx.x, d = threadIdx.x;
  float sum = 0;
  for (int token = 0; token < count; token++)
    if (tokens[token] == word)
      sum += gradient[token * WIDTH + d];
  table[word * WIDTH + d] = sum;
}

__global__ void moving_average(float *average, const float *w, int n, float decay) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    average[i] = fmaf(decay, average[i] - w[i], w[i]);
}

__global__ void knowledge_distillation(const float *student, const float *teacher, float *loss, int classes) {
  int row = blockIdx.x;
  float sum_s = 0, sum_t = 0, cross = 0;
  for (int j = threadIdx.x; j < classes; j += 32) {
    float s = student[row * classes + j], t = teacher[row * classes + j], e = expf(t * 0.5f);
    sum_s += expf(s * 0.5f);
    sum_t += e;
    cross += e * (t - s) * 0.5f;
  }
  sum_s = warp_sum(sum_s);
  sum_t = warp_sum(sum_t);
  cross = warp_sum(cross);
  if (threadIdx.x == 0)
    loss[row] = cross / sum_t + logf(sum_s) - logf(sum_t);
}

static void classifiers() {
  Floats logits(ROWS * CLASSES, 3), teacher(ROWS * CLASSES, 2);
  Whole<int> labels(ROWS, 0, CLASSES - 1);
  Buffer<float> loss(ROWS), total(1);
  std::vector<double> sums(ROWS), sum_s(ROWS), sum_t(ROWS), cross(ROWS);
  for (int i = 0; i < ROWS * CLASSES; i++) {
    sums[i / CLASSES] += std::exp((double)logits[i]);
    sum_s[i / CLASSES] += std::exp(logits[i] * 0.5);
    sum_t[i / CLASSES] += std::exp(teacher[i] * 0.5);
    cross[i / CLASSES] += std::exp(teacher[i] * 0.5) * (teacher[i] - logits[i]) * 0.5;
  }
  std::vector<float> before = logits.host;
  auto expected = [&](int r) { return std::log(sums[r]) - before[r * CLASSES + labels[r]]; };
  cross_entropy<<<ROWS, 32>>>(logits.device, labels.device, loss.device, CLASSES);
  check("cross_entropy", loss, expected);
  knowledge_distillation<<<ROWS, 32>>>(logits.device, teacher.device, loss.device, CLASSES);
  check("knowledge_distillation", loss,
        [&](int r) { return cross[r] / sum_t[r] + std::log(sum_s[r]) - std::log(sum_t[r]); });
  cross_entropy_smoothed<<<1, BLOCK>>>(logits.device, labels.device, total.device, ROWS, CLASSES, 0.1f);
  double smoothed = 0;
  for (int r = 0; r < ROWS; r++)
    for (int j = 0; j < CLASSES; j++)
      smoothed -= before[r * CLASSES + j] * ((j == labels[r]) * 0.9 + 0.1 / CLASSES);
  check(
      "cross_entropy_smoothed", total, [&](int) { return smoothed; }, 1e-4);
  cross_entropy_fused<<<ROWS, 128>>>(logits.device, labels.device, loss.device, CLASSES, 1.0f / ROWS);
  check("cross_entropy_fused", loss, expected);
  check("cross_entropy_fused", logits, [&](int i) {
    return (std::exp((double)before[i]) / sums[i / CLASSES] - (i % CLASSES == labels[i / CLASSES])) / ROWS;
  });
}

static void optimisers() {
  const int blocks = divided(N, 128);
  Floats w(N), g(N), m(N, 0.1f), v(N, 0.01f, 0), target(N);
  Buffer<float> total(1), gradient(N);
  mean_squared_error<<<4, BLOCK>>>(w.device, target.device, gradient.device, total.device, N);
  double error = 0;
  for (int i = 0; i < N; i++)
    error += std::pow((double)w[i] - target[i], 2) / N;
  check("mean_squared_error", total, [&](int) { return error; });
  check("mean_squared_error", gradient, [&](int i) { return 2.0 * (w[i] - target[i]) / N; });

  std::vector<float> w0 = w.host, m0 = m.host, v0 = v.host;
  sgd_momentum<<<blocks, 128>>>(w.device, g.device, m.device, N, 0.1f, 0.9f);
  check("sgd_momentum", m, [&](int i) { return 0.9 * m0[i] + g[i]; });
  check("sgd_momentum", w, [&](int i) { return w0[i] - 0.1 * m[i]; });
  w0 = w.host, m0 = m.host;
  sgd_nesterov<<<3, 128>>>(w.device, g.device, m.device, N, 0.1f, 0.9f, 0.01f);
  check("sgd_nesterov", w, [&](int i) {
    double d = g[i] + 0.01 * w0[i];
    return w0[i] - 0.1 * (d + 0.9 * (0.9 * m0[i] + d));
  });
  m.down();
  w0 = w.host, m0 = m.host;
  adam<<<blocks, 128>>>(w.device, g.device, m.device, v.device, N, 0.01f, 0.9f, 0.99f, 1e-6f, 0.1f, 0.01f);
  check(
      "adam", w,
      [&](int i) {
        double m1 = 0.9 * m0[i] + 0.1 * g[i], v1 = 0.99 * v0[i] + 0.01 * g[i] * g[i];
        return w0[i] - 0.01 * m1 / 0.1 / (std::sqrt(v1 / 0.01) + 1e-6);
      },
      1e-4);
  m.down(), v.down();
  w0 = w.host, m0 = m.host, v0 = v.host;
  Buffer<__half> low(N);
  adamw_mixed<<<divided(N / 4, 64), 64>>>((float4 *)w.device, (__half2 *)low.device, (float4 *)g.device,
                                          (float4 *)m.device, (float4 *)v.device, N / 4, 0.01f, 0.1f, 0.02f);
  check(
      "adamw_mixed", w,
      [&](int i) {
        double m1 = m0[i] + 0.125 * (g[i] - m0[i]), v1 = v0[i] + 0.0625 * ((double)g[i] * g[i] - v0[i]);
        return w0[i] * (1 - 0.001) - 0.02 * m1 / std::sqrt(v1 + 1e-6);
      },
      1e-4);
  check(
      "adamw_mixed", low, [&](int i) { return w[i]; }, 1e-3);

  total[0] = 0;
  total.up();
  gradient_norm<<<5, BLOCK>>>(g.device, total.device, N);
  double squares = 0;
  for (float x : g.host)
    squares += (double)x * x;
  check("gradient_norm", total, [&](int) { return squares; });
  std::vector<float> g0 = g.host;
  gradient_clip<<<blocks, 128>>>(g.device, total.device, N, 1.0f);
  check("gradient_clip", g, [&](int i) { return g0[i] / std::sqrt(squares); });
  w0 = w.host;
  moving_average<<<blocks, 128>>>(w.device, g.device, N, 0.75f);
  check("moving_average", w, [&](int i) { return 0.75 * w0[i] + 0.25 * g[i]; });

  const long long each = N;
  counts("sgd_momentum",
         {{"flops.fp32", each * 4}, {"bytes.global.load", each * 12}, {"bytes.global.store", each * 8}});
  counts("sgd_nesterov",
         {{"flops.fp32", each * 8}, {"bytes.global.load", each * 12}, {"bytes.global.store", each * 8}});
  counts("moving_average",
         {{"flops.fp32", each * 3}, {"bytes.global.load", each * 8}, {"bytes.global.store", each * 4}});
}

static void embeddings() {
  Whole<int> tokens(TOKENS, 0, WORDS - 1);
  Floats table(WORDS * WIDTH), places(20 * WIDTH), gradient(TOKENS * WIDTH);
  Buffer<float> out(TOKENS * WIDTH), sums(WORDS * WIDTH), scattered(WORDS * WIDTH);
  embedding_gather<<<divided(TOKENS * WIDTH / 4, 128), 128>>>(tokens.device, (float4 *)table.device,
                                                              (float4 *)out.device, TOKENS);
  auto word = [&](int i) { return table[tokens[i / WIDTH] * WIDTH + i % WIDTH]; };
  check("embedding_gather", out, word);
  embedding_position<<<TOKENS, WIDTH>>>(tokens.device, table.device, places.device, out.device, 20);
  check("embedding_position", out,
        [&](int i) { return word(i) * 8 + places[i / WIDTH % 20 * WIDTH + i % WIDTH]; });
  std::vector<double> expected(WORDS * WIDTH);
  for (int i = 0; i < TOKENS * WIDTH; i++)
    expected[tokens[i / WIDTH] * WIDTH + i % WIDTH] += gradient[i];
  embedding_scatter_add<<<7, 32>>>(tokens.device, gradient.device, scattered.device, TOKENS);
  check("embedding_scatter_add", scattered, [&](int i) { return expected[i]; });
  embedding_sorted_add<<<WORDS, WIDTH>>>(tokens.device, gradient.device, sums.device, TOKENS);
  check("embedding_sorted_add", sums, [&](int i) { return expected[i]; });

  const long long all = TOKENS * WIDTH;
  counts("embedding_gather", {{"bytes.global.load", all / 4 * (4 + 16)}, {"bytes.global.store", all * 4}});
  counts("embedding_position",
         {{"flops.fp32.fma", all * 2}, {"bytes.global.load", all * 12}, {"bytes.global.store", all * 4}});
  counts("embedding_scatter_add",
         {{"flops.fp32.accumulate", all}, {"bytes.global.load", all * 8}, {"bytes.global.atomic", all * 4}});
  counts("embedding_sorted_add", {{"flops.fp32.add", all},
                                  {"bytes.global.load", (long long)WORDS * WIDTH * TOKENS * 4 + all * 4},
                                  {"bytes.global.store", WORDS * WIDTH * 4}});
}

int main() {
  classifiers();
  optimisers();
  embeddings();
  return finish();
}
