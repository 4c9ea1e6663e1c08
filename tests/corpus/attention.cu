// Attentions: tiles in fp32 and on tensor cores, causal, windows, grouped heads, pages, split keys, and the
// backward.
#include "attention.h"
#include "corpus.h"
#include "instructions.h"

enum { HEADS = 4, N = 80, D = 32, TILE = 16 };
static constexpr float SCALE = 0.17677669f, LOG2_E = 1.44269504f;

__device__ float warp_max(float x) {
  for (int d = 16; d > 0; d /= 2)
    x = fmaxf(x, __shfl_xor_sync(~0u, x, d));
  return x;
}
__device__ float warp_sum(float x) {
  for (int d = 16; d > 0; d /= 2)
    x += __shfl_xor_sync(~0u, x, d);
  return x;
}

/* A thread a query; keys and values by tiles in shared memory. */
__global__ void attention_tiled(const float *q, const float *k, const float *v, float *out, int n) {
  __shared__ float tk[TILE][D], tv[TILE][D];
  int head = blockIdx.y * n * D, i = blockIdx.x * TILE + threadIdx.x;
  float own[D], sum[D] = {}, most = -INFINITY, total = 0;
  for (int d = 0; d < D; d++)
    own[d] = q[head + i * D + d] * SCALE;
  for (int first = 0; first < n; first += TILE) {
    for (int e = threadIdx.x; e < TILE * D; e += TILE) {
      tk[e / D][e % D] = k[head + first * D + e];
      tv[e / D][e % D] = v[head + first * D + e];
    }
    __syncthreads();
    float score[TILE], tile_most = -INFINITY;
    for (int j = 0; j < TILE; j++) {
      score[j] = 0;
      for (int d = 0; d < D; d++)
        score[j] += own[d] * tk[j][d];
      tile_most = fmaxf(tile_most, score[j]);
    }
    float now = fmaxf(most, tile_most), factor = __expf(most - now);
    total *= factor;
    for (int d = 0; d < D; d++)
      sum[d] *= factor;
    for (int j = 0; j < TILE; j++) {
      float p = __expf(score[j] - now);
      total += p;
      for (int d = 0; d < D; d++)
        sum[d] += p * tv[j][d];
    }
    most = now;
    __syncthreads();
  }
  for (int d = 0; d < D; d++)
    out[head + i * D + d] = sum[d] / total;
}

/* Tiles behind the diagonal are skipped, the one on it is masked. */
__global__ void attention_causal(const float *q, const float *k, const float *v, float *out, int n) {
  __shared__ float tk[TILE][D + 1], tv[TILE][D + 1], tp[TILE][TILE];
  int head = blockIdx.y * n * D, x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * TILE + y;
  float sum[D / TILE] = {}, most = -INFINITY, total = 0;
  for (int tile = 0; tile <= (int)blockIdx.x; tile++) {
    for (int d = x; d < D; d += TILE) {
      tk[y][d] = k[head + (tile * TILE + y) * D + d];
      tv[y][d] = v[head + (tile * TILE + y) * D + d];
    }
    __syncthreads();
    float score = 0;
    for (int d = 0; d < D; d++)
      score += q[head + i * D + d] * tk[x][d];
    score = tile * TILE + x <= i ? score * SCALE : -INFINITY;
    float now = score;
    for (int d = TILE / 2; d > 0; d /= 2)
      now = fmaxf(now, __shfl_xor_sync(~0u, now, d, TILE));
    now = fmaxf(now, most);
    float factor = expf(most - now), p = expf(score - now), part = p;
    for (int d = TILE / 2; d > 0; d /= 2)
      part += __shfl_xor_sync(~0u, part, d, TILE);
    total = total * factor + part;
    tp[y][x] = p;
    __syncthreads();
    for (int e = 0; e < D / TILE; e++) {
      sum[e] *= factor;
      for (int j = 0; j < TILE; j++)
        sum[e] += tp[y][j] * tv[j][e * TILE + x];
    }
    most = now;
    __syncthreads();
  }
  for (int e = 0; e < D / TILE; e++)
    out[head + i * D + e * TILE + x] = sum[e] / total;
}

/* A warp a query; scores of a row in shared memory, three passes. */
__global__ void attention_row(const float *q, const float *k, const float *v, float *out, int n) {
  extern __shared__ float scores[];
  int lane = threadIdx.x, i = blockIdx.x, head = blockIdx.y * n * D;
  float most = -INFINITY, total = 0;
  for (int j = lane; j < n; j += 32) {
    float s = 0;
    for (int d = 0; d < D; d += 4) {
      float4 a = *(const float4 *)&q[head + i * D + d], b = *(const float4 *)&k[head + j * D + d];
      s += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    scores[j] = s * SCALE;
    most = fmaxf(most, scores[j]);
  }
  most = warp_max(most);
  for (int j = lane; j < n; j += 32) {
    float p = expf(scores[j] - most);
    scores[j] = p;
    total += p;
  }
  total = warp_sum(total);
  __syncwarp();
  float sum = 0;
  for (int j = 0; j < n; j++)
    sum += scores[j] * v[head + j * D + lane];
  out[head + i * D + lane] = sum / total;
}

/* A lane has one number of a query, a dot product is a reduction. The window is `width` keys back. */
__global__ void attention_window(const float *q, const float *k, const float *v, float *out, int n,
                                 int width) {
  int lane = threadIdx.x, i = blockIdx.x * blockDim.y + threadIdx.y, head = blockIdx.y * n * D;
  if (i >= n)
    return;
  float own = q[head + i * D + lane] * (SCALE * LOG2_E), sum = 0, most = -INFINITY, total = 0;
  for (int j = max(0, i - width + 1); j <= i; j++) {
    float s = warp_sum(own * k[head + j * D + lane]);
    float now = fmaxf(most, s), factor = exp2f(most - now), p = exp2f(s - now);
    total = total * factor + p;
    sum = sum * factor + p * v[head + j * D + lane];
    most = now;
  }
  out[head + i * D + lane] = sum / total;
}

/* Two query heads share a head of keys; a bias falls with the distance (ALiBi). */
__global__ void attention_grouped(const float *q, const float *k, const float *v, float *out, int n,
                                  int share) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, head = blockIdx.y;
  if (i >= n)
    return;
  const float *keys = k + head / share * n * D, *values = v + head / share * n * D;
  const float *own = q + (head * n + i) * D;
  float slope = exp2f(-(float)(head + 1)), most = -INFINITY, total = 0, sum[D] = {};
  for (int j = 0; j <= i; j++) {
    float s = 0;
    for (int d = 0; d < D; d++)
      s = fmaf(own[d], keys[j * D + d], s);
    s = s * SCALE - slope * (i - j);
    if (s > most) {
      float factor = __expf(most - s);
      total *= factor;
      for (int d = 0; d < D; d++)
        sum[d] *= factor;
      most = s;
    }
    float p = __expf(s - most);
    total += p;
    for (int d = 0; d < D; d++)
      sum[d] = fmaf(p, values[j * D + d], sum[d]);
  }
  for (int d = 0; d < D; d++)
    out[(head * n + i) * D + d] = sum[d] / total;
}

/* One query against cached keys: parts of the keys by blocks, then joined. */
__global__ void decode_split(const float *q, const float *k, const float *v, float *part, float *stats, int n,
                             int each) {
  int head = blockIdx.y, lane = threadIdx.x, first = blockIdx.x * each, last = min(first + each, n);
  float own = q[head * D + lane], sum = 0, most = -INFINITY, total = 0;
  for (int j = first; j < last; j++) {
    float s = warp_sum(own * k[(head * n + j) * D + lane]) * SCALE;
    float now = fmaxf(most, s), factor = __expf(most - now), p = __expf(s - now);
    total = total * factor + p;
    sum = sum * factor + p * v[(head * n + j) * D + lane];
    most = now;
  }
  int slot = head * gridDim.x + blockIdx.x;
  part[slot * D + lane] = sum;
  if (lane == 0) {
    stats[2 * slot] = most;
    stats[2 * slot + 1] = total;
  }
}

__global__ void decode_combine(const float *part, const float *stats, float *out, int parts) {
  int head = blockIdx.x, lane = threadIdx.x;
  float most = -INFINITY, sum = 0, total = 0;
  for (int i = 0; i < parts; i++)
    most = fmaxf(most, stats[2 * (head * parts + i)]);
  for (int i = 0; i < parts; i++) {
    float factor = __expf(stats[2 * (head * parts + i)] - most);
    total += stats[2 * (head * parts + i) + 1] * factor;
    sum += part[(head * parts + i) * D + lane] * factor;
  }
  out[head * D + lane] = sum / total;
}

/* Keys and values in pages of 8 tokens, found by a table; 4 lanes a key of 8 numbers each. */
__global__ void decode_paged(const float *q, const float *k, const float *v, const int *pages,
                             const int *lengths, float *out, int most_pages) {
  enum { PAGE = 8 };
  __shared__ float scores[128];
  int sequence = blockIdx.x, head = blockIdx.y, lane = threadIdx.x, n = lengths[sequence];
  const float *own = q + (sequence * HEADS + head) * D + lane % 4 * 8;
  float most = -INFINITY, total = 0, sum = 0;
  for (int first = 0; first < n; first += PAGE) {
    int page = pages[sequence * most_pages + first / PAGE], token = lane / 4;
    const float4 *key = (const float4 *)(k + ((page * PAGE + token) * HEADS + head) * D) + lane % 4 * 2;
    float4 a = key[0], b = key[1];
    float s = own[0] * a.x + own[1] * a.y + own[2] * a.z + own[3] * a.w + own[4] * b.x + own[5] * b.y +
              own[6] * b.z + own[7] * b.w;
    s += __shfl_xor_sync(~0u, s, 1);
    s += __shfl_xor_sync(~0u, s, 2);
    s = first + token < n ? s * SCALE : -INFINITY;
    if (lane % 4 == 0)
      scores[first + token] = s;
    most = fmaxf(most, s);
  }
  most = warp_max(most);
  __syncwarp();
  for (int j = lane; j < n; j += 32) {
    scores[j] = __expf(scores[j] - most);
    total += scores[j];
  }
  total = warp_sum(total);
  __syncwarp();
  for (int j = 0; j < n; j++) {
    int page = pages[sequence * most_pages + j / PAGE];
    sum += scores[j] * v[((page * PAGE + j % PAGE) * HEADS + head) * D + lane];
  }
  out[(sequence * HEADS + head) * D + lane] = sum / (total + 1e-6f);
}

/* Flash attention on tensor cores: a warp has 16 queries, keys by
 * tiles of 16; places behind the end of the keys are not copied. */
enum { PADDED = D + 8 };
template <bool PREDICATED>
__device__ void flash_mma(const __half *q, const __half *k, const __half *v, float *out, int n, bool causal) {
  __shared__ alignas(16) __half tq[16][PADDED], tk[2][16][PADDED], tv[2][16][PADDED];
  int lane = threadIdx.x, head = blockIdx.y * n * D, row = blockIdx.x * 16, g = lane / 4, t = lane % 4;
  auto copy = [&](__half(*to)[PADDED], const __half *from, int first) {
    for (int i = lane; i < 16 * D / 8; i += 32) {
      int r = i / (D / 8), c = i % (D / 8) * 8;
      bool in = first + r < n;
      if (PREDICATED)
        cp_async_16_if(&to[r][c], &from[head + (in ? first + r : 0) * D + c], in);
      else
        cp_async_16_or_zero(&to[r][c], &from[head + (in ? first + r : 0) * D + c], in);
    }
  };
  if (PREDICATED) // places not copied must not be NaN
    for (int i = lane; i < 16 * PADDED; i += 32)
      tq[0][i] = tk[0][0][i] = tk[1][0][i] = tv[0][0][i] = tv[1][0][i] = __ushort_as_half(0);
  __syncwarp();
  int tiles = causal ? blockIdx.x + 1 : (n + 15) / 16;
  copy(tq, q, row);
  copy(tk[0], k, 0);
  copy(tv[0], v, 0);
  cp_async_commit();
  float sum[D / 8][4] = {}, most[2] = {-INFINITY, -INFINITY}, total[2] = {};
  for (int tile = 0; tile < tiles; tile++) {
    int at = tile % 2;
    if (tile + 1 < tiles) {
      copy(tk[1 - at], k, (tile + 1) * 16);
      copy(tv[1 - at], v, (tile + 1) * 16);
    }
    cp_async_commit();
    cp_async_wait<1>();
    __syncwarp();
    float score[2][4] = {};
    for (int d = 0; d < D; d += 16) {
      unsigned fq[4], fk[4];
      ldmatrix_x4(fq, &tq[lane % 16][d + lane / 16 * 8]);
      ldmatrix_x4(fk, &tk[at][lane % 8 + lane / 16 * 8][d + lane / 8 % 2 * 8]);
      mma_f16(score[0], fq, fk[0], fk[1]);
      mma_f16(score[1], fq, fk[2], fk[3]);
    }
    float p[2][4];
    for (int h = 0; h < 2; h++) { // the upper and the lower eight queries
      int i = row + g + h * 8;
      float now = most[h];
      for (int c = 0; c < 4; c++) {
        int j = tile * 16 + c / 2 * 8 + 2 * t + c % 2;
        float &s = score[c / 2][2 * h + c % 2];
        s = j < n && (!causal || j <= i) ? s * (SCALE * LOG2_E) : -1e30f;
        now = fmaxf(now, s);
      }
      now = fmaxf(now, __shfl_xor_sync(~0u, now, 1));
      now = fmaxf(now, __shfl_xor_sync(~0u, now, 2));
      float factor = exp2f(most[h] - now);
      total[h] *= factor;
      for (int e = 0; e < D / 8; e++) {
        sum[e][2 * h] *= factor;
        sum[e][2 * h + 1] *= factor;
      }
      for (int c = 0; c < 4; c++) {
        p[h][c] = exp2f(score[c / 2][2 * h + c % 2] - now);
        total[h] += p[h][c];
      }
      most[h] = now;
    }
    unsigned fp[4] = {pack_half2(p[0][0], p[0][1]), pack_half2(p[1][0], p[1][1]),
                      pack_half2(p[0][2], p[0][3]), pack_half2(p[1][2], p[1][3])};
    for (int e = 0; e < D / 8; e += 2) {
      unsigned fv[4];
      ldmatrix_x4_trans(fv, &tv[at][lane % 16][e * 8 + lane / 16 * 8]);
      mma_f16(sum[e], fp, fv[0], fv[1]);
      mma_f16(sum[e + 1], fp, fv[2], fv[3]);
    }
    __syncwarp();
  }
  for (int h = 0; h < 2; h++) {
    float all = total[h] + __shfl_xor_sync(~0u, total[h], 1);
    all += __shfl_xor_sync(~0u, all, 2);
    float inverse = 1.0f / all;
    if (row + g + h * 8 < n)
      for (int e = 0; e < D / 8; e++)
        *(float2 *)&out[head + (row + g + h * 8) * D + e * 8 + 2 * t] =
            make_float2(sum[e][2 * h] * inverse, sum[e][2 * h + 1] * inverse);
  }
}
__global__ void flash_tensor(const __half *q, const __half *k, const __half *v, float *out, int n) {
  flash_mma<false>(q, k, v, out, n, false);
}
__global__ void flash_tensor_causal(const __half *q, const __half *k, const __half *v, float *out, int n) {
  flash_mma<false>(q, k, v, out, n, true);
}
__global__ void flash_tensor_predicated(const __half *q, const __half *k, const __half *v, float *out,
                                        int n) {
  flash_mma<true>(q, k, v, out, n, false);
}

/* Backward in fp32: the scores again from the sum of the row, a thread a query, or a key. */
__global__ void attention_delta(const float *out, const float *gradient, float *delta) {
  int i = blockIdx.x, lane = threadIdx.x;
  float sum = warp_sum(out[i * D + lane] * gradient[i * D + lane]);
  if (lane == 0)
    delta[i] = sum;
}

__global__ void attention_log_sum(const float *q, const float *k, float *log_sum, int n) {
  int i = blockIdx.x, lane = threadIdx.x, head = blockIdx.y * n;
  float total = 0;
  for (int j = lane; j < n; j += 32) {
    float s = 0;
    for (int d = 0; d < D; d++)
      s += q[(head + i) * D + d] * k[(head + j) * D + d];
    total += __expf(s * SCALE);
  }
  total = warp_sum(total);
  if (lane == 0)
    log_sum[head + i] = __logf(total);
}

__global__ void attention_backward_keys(const float *q, const float *k, const float *v, const float *gradient,
                                        const float *log_sum, const float *delta, float *dk, float *dv,
                                        int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, head = blockIdx.y * n;
  if (j >= n)
    return;
  float key[D], value[D], sum_k[D] = {}, sum_v[D] = {};
  for (int d = 0; d < D; d++) {
    key[d] = k[(head + j) * D + d];
    value[d] = v[(head + j) * D + d];
  }
  for (int i = 0; i < n; i++) {
    float s = 0, dp = 0;
    for (int d = 0; d < D; d++) {
      s += q[(head + i) * D + d] * key[d];
      dp += gradient[(head + i) * D + d] * value[d];
    }
    float p = __expf(s * SCALE - log_sum[head + i]), ds = p * (dp - delta[head + i]) * SCALE;
    for (int d = 0; d < D; d++) {
      sum_v[d] += p * gradient[(head + i) * D + d];
      sum_k[d] += ds * q[(head + i) * D + d];
    }
  }
  for (int d = 0; d < D; d++) {
    dk[(head + j) * D + d] = sum_k[d];
    dv[(head + j) * D + d] = sum_v[d];
  }
}

__global__ void attention_backward_queries(const float *q, const float *k, const float *v,
                                           const float *gradient, const float *log_sum, const float *delta,
                                           float *dq, int n) {
  int lane = threadIdx.x, i = blockIdx.x * blockDim.y + threadIdx.y, head = blockIdx.y * n;
  if (i >= n)
    return;
  float own = q[(head + i) * D + lane], g = gradient[(head + i) * D + lane], sum = 0;
  for (int j = 0; j < n; j++) {
    float key = k[(head + j) * D + lane];
    float s = warp_sum(own * key), dp = warp_sum(g * v[(head + j) * D + lane]);
    sum += __expf(s * SCALE - log_sum[head + i]) * (dp - delta[head + i]) * SCALE * key;
  }
  dq[(head + i) * D + lane] = sum;
}

/* Attention without a softmax: a state of D by D is carried along. */
__global__ void attention_linear(const float *q, const float *k, const float *v, float *out, int n,
                                 float decay) {
  int head = blockIdx.x * n, lane = threadIdx.x;
  float state[D] = {};
  for (int i = 0; i < n; i++) {
    float value = v[(head + i) * D + lane], sum = 0;
#pragma unroll
    for (int d = 0; d < D; d++) {
      state[d] = state[d] * decay + k[(head + i) * D + d] * value;
      sum += state[d] * q[(head + i) * D + d];
    }
    out[(head + i) * D + lane] = sum;
  }
}

/* A spiking one: spikes are bits of a word, a score is the number of common bits. */
__global__ void attention_spikes(const unsigned *q, const unsigned *k, const float *v, float *out, int n) {
  int i = blockIdx.x, lane = threadIdx.x, head = blockIdx.y * n;
  unsigned own = q[head + i];
  float sum = 0;
  for (int j = 0; j < n; j++)
    sum += __popc(own & k[head + j]) * v[(head + j) * D + lane];
  out[(head + i) * D + lane] = sum * 0.125f;
}

using Sees = bool (*)(int, int);
static std::vector<double> heads(Buffer<float> &q, Buffer<float> &k, Buffer<float> &v, Sees sees, int n = N) {
  std::vector<double> all;
  for (int h = 0; h < HEADS; h++) {
    auto one = host_attention(&q[h * n * D], &k[h * n * D], &v[h * n * D], n, n, D, SCALE, sees);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

static void in_fp32() {
  const int n = HEADS * N * D;
  Floats q(n), k(n), v(n), gradient(n);
  Buffer<float> out(n);
  const dim3 rows(N, HEADS), tiles(N / TILE, HEADS);
  auto all = heads(q, k, v, [](int, int) { return true; });
  auto causal = heads(q, k, v, [](int i, int j) { return j <= i; });
  auto window = heads(q, k, v, [](int i, int j) { return j <= i && j > i - 20; });
  attention_tiled<<<tiles, TILE>>>(q.device, k.device, v.device, out.device, N);
  check("attention_tiled", out, [&](int i) { return all[i]; });
  attention_causal<<<tiles, dim3(TILE, TILE)>>>(q.device, k.device, v.device, out.device, N);
  check("attention_causal", out, [&](int i) { return causal[i]; });
  attention_window<<<dim3(divided(N, 3), HEADS), dim3(32, 3)>>>(q.device, k.device, v.device, out.device, N,
                                                                20);
  check("attention_window", out, [&](int i) { return window[i]; });
  attention_grouped<<<dim3(divided(N, 32), HEADS), 32>>>(q.device, k.device, v.device, out.device, N, 2);
  out.down();
  for (int h = 0; h < HEADS; h++)
    for (int i = 0; i < N; i += 7) {
      double total = 0, sum[D] = {};
      for (int j = 0; j <= i; j++) {
        double s = 0;
        for (int d = 0; d < D; d++)
          s += (double)q[(h * N + i) * D + d] * k[(h / 2 * N + j) * D + d];
        double p = std::exp(s * SCALE - std::ldexp(i - j, -h - 1));
        total += p;
        for (int d = 0; d < D; d++)
          sum[d] += p * v[(h / 2 * N + j) * D + d];
      }
      for (int d = 0; d < D; d++)
        EXPECT(near(out[(h * N + i) * D + d], sum[d] / total));
    }
  attention_row<<<rows, 32, N * sizeof(float)>>>(q.device, k.device, v.device, out.device, N);
  check("attention_row", out, [&](int i) { return all[i]; });

  // The backward, after the row's own output.
  Buffer<float> delta(HEADS * N), log_sum(HEADS * N), dq(n), dk(n), dv(n);
  attention_delta<<<HEADS * N, 32>>>(out.device, gradient.device, delta.device);
  attention_log_sum<<<rows, 32>>>(q.device, k.device, log_sum.device, N);
  attention_backward_keys<<<dim3(divided(N, 32), HEADS), 32>>>(
      q.device, k.device, v.device, gradient.device, log_sum.device, delta.device, dk.device, dv.device, N);
  attention_backward_queries<<<dim3(N / 4, HEADS), dim3(32, 4)>>>(
      q.device, k.device, v.device, gradient.device, log_sum.device, delta.device, dq.device, N);
  std::vector<double> eq(n), ek(n), ev(n);
  for (int h = 0; h < HEADS; h++)
    for (int i = 0; i < N; i++) {
      double p[N], dp[N], total = 0, mean = 0;
      const int a = (h * N + i) * D;
      for (int j = 0; j < N; j++) {
        p[j] = dp[j] = 0;
        for (int d = 0; d < D; d++) {
          p[j] += (double)q[a + d] * k[(h * N + j) * D + d];
          dp[j] += (double)gradient[a + d] * v[(h * N + j) * D + d];
        }
        total += p[j] = std::exp(p[j] * SCALE);
      }
      for (int j = 0; j < N; j++)
        mean += (p[j] /= total) * dp[j];
      for (int j = 0; j < N; j++)
        for (int d = 0; d < D; d++) {
          const int b = (h * N + j) * D + d;
          ev[b] += p[j] * gradient[a + d];
          ek[b] += p[j] * (dp[j] - mean) * SCALE * q[a + d];
          eq[a + d] += p[j] * (dp[j] - mean) * SCALE * k[b];
        }
    }
  check(
      "attention_backward_queries", dq, [&](int i) { return eq[i]; }, 1e-4);
  check(
      "attention_backward_keys", dk, [&](int i) { return ek[i]; }, 1e-4);
  check(
      "attention_backward_keys", dv, [&](int i) { return ev[i]; }, 1e-4);

  attention_linear<<<HEADS, D>>>(q.device, k.device, v.device, out.device, N, 0.875f);
  check("attention_linear", out, [&](int i) {
    int head = i / D / N * N, at = i / D % N;
    double sum = 0;
    for (int j = 0; j <= at; j++) {
      double s = 0;
      for (int d = 0; d < D; d++)
        s += (double)q[(head + at) * D + d] * k[(head + j) * D + d];
      sum += s * std::pow(0.875, at - j) * v[(head + j) * D + i % D];
    }
    return sum;
  });

  Buffer<unsigned> sq(HEADS * N), sk(HEADS * N);
  Random random;
  for (int i = 0; i < HEADS * N; i++)
    sq[i] = random.next() & random.next(), sk[i] = random.next() & random.next();
  sq.up(), sk.up();
  attention_spikes<<<rows, D>>>(sq.device, sk.device, v.device, out.device, N);
  check("attention_spikes", out, [&](int i) {
    double sum = 0;
    for (int j = i / D / N * N; j < (i / D / N + 1) * N; j++)
      sum += __builtin_popcount(sq[i / D] & sk[j]) * (double)v[j * D + i % D] / 8;
    return sum;
  });

  const long long pairs = HEADS * N * N, elements = n;
  counts("attention_linear", {{"flops.fp32", elements * D * 5},
                              {"bytes.global.load", elements * (D * 8 + 4)},
                              {"bytes.global.store", elements * 4}});
  counts("attention_spikes", {{"flops.fp32", pairs * D * 2 + elements},
                              {"bytes.global.load", 4 * elements + pairs * D * 8},
                              {"bytes.global.store", elements * 4}});
}

static void decodes() {
  const int n = 100, parts = 3, each = 40;
  Floats q(HEADS * D, 2), k(HEADS * n * D), v(HEADS * n * D);
  Buffer<float> part(HEADS * parts * D), stats(HEADS * parts * 2), out(HEADS * D);
  decode_split<<<dim3(parts, HEADS), 32>>>(q.device, k.device, v.device, part.device, stats.device, n, each);
  decode_combine<<<HEADS, 32>>>(part.device, stats.device, out.device, parts);
  std::vector<double> expected;
  for (int h = 0; h < HEADS; h++) {
    auto one = host_attention(&q[h * D], &k[h * n * D], &v[h * n * D], 1, n, D, SCALE,
                              [](int, int) { return true; });
    expected.insert(expected.end(), one.begin(), one.end());
  }
  check("decode_combine", out, [&](int i) { return expected[i]; });

  enum { SEQUENCES = 5, PAGES = 40, MOST = 6, PAGE = 8 };
  Floats pq(SEQUENCES * HEADS * D), pk(PAGES * PAGE * HEADS * D), pv(PAGES * PAGE * HEADS * D);
  Buffer<int> pages(SEQUENCES * MOST), lengths(SEQUENCES);
  Buffer<float> paged(SEQUENCES * HEADS * D);
  for (int i = 0; i < SEQUENCES * MOST; i++)
    pages[i] = i * 7 % PAGES;
  const int some[SEQUENCES] = {48, 1, 17, 33, 40};
  for (int i = 0; i < SEQUENCES; i++)
    lengths[i] = some[i];
  pages.up(), lengths.up();
  decode_paged<<<dim3(SEQUENCES, HEADS), 32>>>(pq.device, pk.device, pv.device, pages.device, lengths.device,
                                               paged.device, MOST);
  check(
      "decode_paged", paged,
      [&](int i) {
        int s = i / D / HEADS, h = i / D % HEADS;
        double total = 0, sum = 0;
        for (int j = 0; j < some[s]; j++) {
          int at = ((pages[s * MOST + j / PAGE] * PAGE + j % PAGE) * HEADS + h) * D;
          double score = 0;
          for (int d = 0; d < D; d++)
            score += (double)pq[i / D * D + d] * pk[at + d];
          score = std::exp(score * SCALE);
          total += score;
          sum += score * pv[at + i % D];
        }
        return sum / total;
      },
      1e-4);
}

static void on_tensor_cores() {
  const int n = 75; // ends within a tile
  Buffer<__half> q(HEADS * n * D), k(HEADS * n * D), v(HEADS * n * D);
  Floats fq(HEADS * n * D), fk(HEADS * n * D), fv(HEADS * n * D);
  Buffer<float> out(HEADS * n * D);
  Buffer<float> *floats[3] = {&fq, &fk, &fv};
  Buffer<__half> *halves[3] = {&q, &k, &v};
  for (int m = 0; m < 3; m++) {
    for (int i = 0; i < HEADS * n * D; i++)
      (*floats[m])[i] = (float)((*halves[m])[i] = __float2half((*floats[m])[i]));
    halves[m]->up();
  }
  auto all = heads(
      fq, fk, fv, [](int, int) { return true; }, n);
  auto causal = heads(
      fq, fk, fv, [](int i, int j) { return j <= i; }, n);
  const dim3 grid(divided(n, 16), HEADS);
  flash_tensor<<<grid, 32>>>(q.device, k.device, v.device, out.device, n);
  check(
      "flash_tensor", out, [&](int i) { return all[i]; }, 2e-3);
  flash_tensor_predicated<<<grid, 32>>>(q.device, k.device, v.device, out.device, n);
  check(
      "flash_tensor_predicated", out, [&](int i) { return all[i]; }, 2e-3);
  flash_tensor_causal<<<grid, 32>>>(q.device, k.device, v.device, out.device, n);
  check(
      "flash_tensor_causal", out, [&](int i) { return causal[i]; }, 2e-3);
}

int main() {
  in_fp32();
  decodes();
  on_tensor_cores();
  return finish();
}
