/* Attention as three kernels, the whole score matrix in global memory.
 * query, key, value, output: [heads][length][size] floats; scores: [heads][length][length].
 *
 *   attention_scores    S = scale·Q·Kᵀ      one thread a score, block (columns, rows)
 *   attention_softmax   a row of S in place, one block a row: maximum, exponentials and their sum, division
 *   attention_values    O = S·V             one thread an output, block (columns, rows)
 *
 * Closed form for H heads, length N, size D, R = H·N rows, P = H·N² scores (threads outside return at once):
 *   attention_scores    fma P·D, mul P; global load 8·P·D, store 4·P
 *                       unique: query, key (R·D floats each), scores (P floats)
 *   attention_softmax   B threads a block (a multiple of 32), W = B/32 warps:
 *                       an exponential is mul 1 (the ·log2(e) of __expf) and special 1
 *                       add 2·P (x − max, sum) + R·B·5 (warp sum: five shuffles) + R·B·(W−1) (other warps)
 *                       mul 2·P (__expf, ·1/sum), special P, div R·B (each thread takes 1/sum itself)
 *                       global load 12·P, store 8·P (exponentials go out and come back)
 *                       shared store 8·R·W (each warp's maximum and sum), load 8·R·B·(W−1)
 *                       unique: scores
 *   attention_values    fma P·D; global load 8·P·D, store 4·R·D
 *                       unique: scores, value, output
 */
#ifndef GPUPROF_KERNELS_ATTENTION_NAIVE_CUH
#define GPUPROF_KERNELS_ATTENTION_NAIVE_CUH

#include "../closed_form.h"

#include <math.h>

#pragma gpuprof region("attention.naive.scores") phase(forward) category(attention)
__global__ void attention_scores(const float *__restrict__ query, const float *__restrict__ key,
                                 float *__restrict__ scores, int length, int size, float scale) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= length || column >= length)
    return;
  size_t head = (size_t)blockIdx.z * length;
  const float *q = query + (head + row) * size, *k = key + (head + column) * size;
  float sum = 0.0f;
  for (int i = 0; i < size; ++i)
    sum = fmaf(q[i], k[i], sum);
  scores[(head + row) * length + column] = sum * scale;
}

inline ClosedForm attention_scores_cost(uint64_t heads, uint64_t length, uint64_t size, uint64_t block_x,
                                        uint64_t block_y) {
  ClosedForm cost = {};
  uint64_t pairs = heads * length * length;
  cost.launches = 1;
  cost.threads = heads * ceil_div(length, block_x) * ceil_div(length, block_y) * block_x * block_y;
  cost.fma = pairs * size;
  cost.mul = pairs;
  cost.global_load = 8 * pairs * size;
  cost.global_store = 4 * pairs;
  cost.unique = 2 * sector_bytes(heads * length * size) + sector_bytes(pairs);
  return cost;
}

enum { kSoftmaxMaximumWarps = 32 };

/* Each thread begins with its own warp's result and goes round the others: were it to read its own back, the compiler
 * would move the last addition of the warp sum into the one lane that stores it. */
__device__ __forceinline__ int softmax_other_warp(int warp, int i, int warps) {
  return warp + i < warps ? warp + i : warp + i - warps;
}

#pragma gpuprof region("attention.naive.softmax") phase(forward) category(attention)
__global__ void attention_softmax(float *scores, int length) {
  __shared__ float warp_maximum[kSoftmaxMaximumWarps];
  __shared__ float warp_sum[kSoftmaxMaximumWarps];
  float *row = scores + (size_t)blockIdx.x * length;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

  float maximum = -INFINITY;
  for (int i = threadIdx.x; i < length; i += blockDim.x)
    maximum = fmaxf(maximum, row[i]);
  for (int offset = 16; offset > 0; offset /= 2)
    maximum = fmaxf(maximum, __shfl_xor_sync(0xffffffffu, maximum, offset));
  if (lane == 0)
    warp_maximum[warp] = maximum;
  __syncthreads();
  float block_maximum = maximum;
  for (int i = 1; i < warps; ++i)
    block_maximum = fmaxf(block_maximum, warp_maximum[softmax_other_warp(warp, i, warps)]);

  float sum = 0.0f;
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    float exponential = __expf(row[i] - block_maximum);
    row[i] = exponential;
    sum += exponential;
  }
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (lane == 0)
    warp_sum[warp] = sum;
  __syncthreads();
  float total = sum;
  for (int i = 1; i < warps; ++i)
    total += warp_sum[softmax_other_warp(warp, i, warps)];

  float inverse = 1.0f / total;
  for (int i = threadIdx.x; i < length; i += blockDim.x)
    row[i] = row[i] * inverse;
}

inline ClosedForm attention_softmax_cost(uint64_t heads, uint64_t length, uint64_t block) {
  ClosedForm cost = {};
  uint64_t rows = heads * length, scores = rows * length, warps = block / 32;
  cost.launches = 1;
  cost.threads = rows * block;
  cost.add = 2 * scores + cost.threads * (5 + warps - 1);
  cost.mul = 2 * scores;
  cost.special = scores;
  cost.div = cost.threads;
  cost.global_load = 12 * scores;
  cost.global_store = 8 * scores;
  cost.shared_store = 8 * rows * warps;
  cost.shared_load = 8 * cost.threads * (warps - 1);
  cost.unique = sector_bytes(scores);
  return cost;
}

#pragma gpuprof region("attention.naive.values") phase(forward) category(attention)
__global__ void attention_values(const float *__restrict__ scores, const float *__restrict__ value,
                                 float *__restrict__ output, int length, int size) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= length || column >= size)
    return;
  size_t head = (size_t)blockIdx.z * length;
  const float *s = scores + (head + row) * length, *v = value + head * size + column;
  float sum = 0.0f;
  for (int i = 0; i < length; ++i)
    sum = fmaf(s[i], v[(size_t)i * size], sum);
  output[(head + row) * size + column] = sum;
}

inline ClosedForm attention_values_cost(uint64_t heads, uint64_t length, uint64_t size, uint64_t block_x,
                                        uint64_t block_y) {
  ClosedForm cost = {};
  uint64_t pairs = heads * length * length, outputs = heads * length * size;
  cost.launches = 1;
  cost.threads = heads * ceil_div(size, block_x) * ceil_div(length, block_y) * block_x * block_y;
  cost.fma = pairs * size;
  cost.global_load = 8 * pairs * size;
  cost.global_store = 4 * outputs;
  cost.unique = sector_bytes(pairs) + 2 * sector_bytes(outputs);
  return cost;
}

#endif
