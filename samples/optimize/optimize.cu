// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The scores of attention, S = scale·Q·Kᵀ, three times: as it is written first, and two fixes of what the report says.
 *
 *   optimize VERSION [LENGTH]     VERSION is rows, tiles or registers
 *
 * query and key: [length][64] floats. The result is compared with one computed in double.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSize = 64 };

/* A thread a score. The 32 lanes of a warp read 32 rows of the keys, 256 bytes apart: each its own sector. */
#pragma gpuprof region("scores") phase(forward) category(attention)
__global__ void scores_rows(const float *__restrict__ query, const float *__restrict__ key, float *__restrict__ scores, int length,
                            float scale) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= length || column >= length)
    return;
  float sum = 0.0f;
  for (int i = 0; i < kSize; ++i)
    sum = fmaf(query[row * kSize + i], key[column * kSize + i], sum);
  scores[(size_t)row * length + column] = sum * scale;
}

/* Loads 32 rows, whole ones by consecutive lanes. A row of 65 floats lays a column of the tile over all banks. */
enum { kTile = 32, kPadded = kSize + 1 };
__device__ __forceinline__ void load_tile(float (*tile)[kPadded], const float *rows, int first, int length, int thread, int threads) {
  for (int i = thread; i < kTile * kSize; i += threads)
    tile[i / kSize][i % kSize] = first + i / kSize < length ? rows[(size_t)(first + i / kSize) * kSize + i % kSize] : 0.0f;
}

/* A block loads a tile of queries and one of keys once, and multiplies them in shared memory. A thread a score. */
#pragma gpuprof region("scores") phase(forward) category(attention)
__global__ void scores_tiles(const float *__restrict__ query, const float *__restrict__ key, float *__restrict__ scores, int length,
                             float scale) {
  __shared__ float queries[kTile][kPadded], keys[kTile][kPadded];
  const int thread = threadIdx.y * kTile + threadIdx.x, first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  load_tile(queries, query, first_row, length, thread, kTile * kTile);
  load_tile(keys, key, first_column, length, thread, kTile * kTile);
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < kSize; ++i)
    sum = fmaf(queries[threadIdx.y][i], keys[threadIdx.x][i], sum);
  if (first_row + threadIdx.y < length && first_column + threadIdx.x < length)
    scores[(size_t)(first_row + threadIdx.y) * length + first_column + threadIdx.x] = sum * scale;
}

/* A thread 4 × 4 scores: a value from shared memory serves four multiply-adds instead of one. Blocks of 8 × 8 threads. */
enum { kSide = 8, kEach = kTile / kSide };
#pragma gpuprof region("scores") phase(forward) category(attention)
__global__ void scores_registers(const float *__restrict__ query, const float *__restrict__ key, float *__restrict__ scores,
                                 int length, float scale) {
  __shared__ float queries[kTile][kPadded], keys[kTile][kPadded];
  const int x = threadIdx.x, y = threadIdx.y, first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  load_tile(queries, query, first_row, length, y * kSide + x, kSide * kSide);
  load_tile(keys, key, first_column, length, y * kSide + x, kSide * kSide);
  __syncthreads();
  float sum[kEach][kEach] = {};
  for (int i = 0; i < kSize; ++i) {
    float q[kEach], k[kEach];
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      q[j] = queries[y + j * kSide][i];
      k[j] = keys[x + j * kSide][i];
    }
#pragma unroll
    for (int r = 0; r < kEach; ++r)
#pragma unroll
      for (int c = 0; c < kEach; ++c)
        sum[r][c] = fmaf(q[r], k[c], sum[r][c]);
  }
#pragma unroll
  for (int r = 0; r < kEach; ++r)
#pragma unroll
    for (int c = 0; c < kEach; ++c) {
      const int row = first_row + y + r * kSide, column = first_column + x + c * kSide;
      if (row < length && column < length)
        scores[(size_t)row * length + column] = sum[r][c] * scale;
    }
}

static void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) {
    fprintf(stderr, "optimize: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
  }
}

static void launch(const char *version, const float *query, const float *key, float *scores, int length) {
  const unsigned tiles = (length + kTile - 1) / kTile;
  const float scale = 0.125f; /* 1/√64 */
  if (!strcmp(version, "rows"))
    scores_rows<<<dim3(tiles, (length + 7) / 8), dim3(32, 8)>>>(query, key, scores, length, scale);
  else if (!strcmp(version, "tiles"))
    scores_tiles<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(query, key, scores, length, scale);
  else
    scores_registers<<<dim3(tiles, tiles), dim3(kSide, kSide)>>>(query, key, scores, length, scale);
  check(cudaGetLastError(), "launch");
}

/* The largest error of 1,000 scores, over the error that 64 roundings can make. */
static double worst_error(const float *query, const float *key, const float *scores, int length) {
  double worst = 0;
  for (int n = 0; n < 1000; ++n) {
    const int row = (int)((long)n * 7919 % length), column = (int)((long)n * 104729 % length);
    double exact = 0, size = 0;
    for (int i = 0; i < kSize; ++i) {
      const double product = (double)query[row * kSize + i] * key[column * kSize + i];
      exact += product;
      size += fabs(product);
    }
    worst = fmax(worst, fabs(scores[(size_t)row * length + column] - 0.125 * exact) / (0.125 * size * kSize * 0x1p-24));
  }
  return worst;
}

int main(int argc, char **argv) {
  const char *version = argc > 1 ? argv[1] : "";
  const int length = argc > 2 ? atoi(argv[2]) : 512;
  if ((strcmp(version, "rows") && strcmp(version, "tiles") && strcmp(version, "registers")) || length < 1) {
    fprintf(stderr, "usage: %s rows|tiles|registers [LENGTH]\n", argv[0]);
    return 2;
  }
  const size_t values = (size_t)length * kSize, pairs = (size_t)length * length;
  float *query = (float *)malloc(values * 4), *key = (float *)malloc(values * 4), *scores = (float *)malloc(pairs * 4);
  float *device_query, *device_key, *device_scores;
  for (size_t i = 0; i < values; ++i) {
    query[i] = (float)((i * 2654435761u >> 8) % 2001) / 1000 - 1;
    key[i] = (float)((i * 2246822519u >> 9) % 2001) / 1000 - 1;
  }
  check(cudaMalloc(&device_query, values * 4), "cudaMalloc");
  check(cudaMalloc(&device_key, values * 4), "cudaMalloc");
  check(cudaMalloc(&device_scores, pairs * 4), "cudaMalloc");
  check(cudaMemcpy(device_query, query, values * 4, cudaMemcpyHostToDevice), "cudaMemcpy");
  check(cudaMemcpy(device_key, key, values * 4, cudaMemcpyHostToDevice), "cudaMemcpy");
  for (int i = 0; i < 5; ++i)
    launch(version, device_query, device_key, device_scores, length);
  check(cudaMemcpy(scores, device_scores, pairs * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
  const double error = worst_error(query, key, scores, length);
  printf("%s: %d scores, %s\n", version, length, error <= 1 ? "right" : "WRONG");
  cudaFree(device_query);
  cudaFree(device_key);
  cudaFree(device_scores);
  free(query);
  free(key);
  free(scores);
  return error <= 1 ? 0 : 1;
}
