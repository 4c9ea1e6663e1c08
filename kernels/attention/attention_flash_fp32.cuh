/* Attention in fp32 without tensor cores, the score matrix never in memory: the equations and shapes of attention_flash.cuh, for
 * any GPU. query, key, value, output: [batch][heads][length][Size] floats, Size 64 or 128.
 *
 * A block of 16 × 16 threads takes 128 rows and tiles of 64 keys. A thread has 8 rows × 4 keys of the scores, and 8 rows × Size/16
 * columns of the output, in registers; the 16 threads of a row are half a warp. Queries and keys lie in shared memory by columns,
 * so that both are read four at a time; weights pass through shared memory within a warp.
 *
 * Counts, in the terms of attention_flash.cuh, with C = 16·T·Rows; E = T·Rows·Keys:
 *   attention.scores    fma E·Size;  shared load 12288·T·Size
 *   attention.softmax   fma E + 2·C, special E + C, add E − C, mul C·(1 + Size/16);  shared store 4·E
 *   attention.values    fma E·Size;  shared load 65536·T·(8 + Size/16)
 *   outside the three   mul 256·B + R·(1 + Size), add 64·B·Rows, div 16·R, fma R, special R
 *                       global load 4·Size·(R + 2·L), store 4·R·(Size + 1);  shared store 4·Size·(B·Rows + 2·T·Keys)
 *   unique              query, output, logsumexp, and the keys and values loaded
 */
#ifndef GPUPROF_KERNELS_ATTENTION_FLASH_FP32_CUH
#define GPUPROF_KERNELS_ATTENTION_FLASH_FP32_CUH

#include "attention_flash.cuh"

template <int Size_> struct FlashTileFp32 {
  enum { Size = Size_, Rows = 128, Keys = 64, Threads = 256 };
  enum {
    RowsOfThread = Rows / 16,
    KeysOfThread = Keys / 16,
    ColumnsOfThread = Size / 16,
    RowStride = Rows + 4, /* floats from a column to the next: padding spreads stores over the banks */
    KeyStride = Keys + 4,
    KeyAt = Size * RowStride, /* floats before */
    ValueAt = KeyAt + Size * KeyStride,
    WeightAt = ValueAt + Keys * Size,
    SharedBytes = 4 * (WeightAt + Keys * RowStride),
  };
};

/* Rows of 64 or 128 floats, to columns: column c of row r at to[c·Stride + r]. */
template <class Tile, int Rows, int Stride>
__device__ __forceinline__ void flash_transpose(float *to, const float *from, int first, int end) {
#pragma unroll 4
  for (int i = threadIdx.x; i < Rows * Tile::Size / 4; i += Tile::Threads) {
    const int row = i % Rows, column = i / Rows * 4;
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (first + row < end)
      four = *(const float4 *)(from + (size_t)(first + row) * Tile::Size + column);
    to[column * Stride + row] = four.x;
    to[(column + 1) * Stride + row] = four.y;
    to[(column + 2) * Stride + row] = four.z;
    to[(column + 3) * Stride + row] = four.w;
  }
}

template <class Tile>
__device__ __forceinline__ void flash_rows(float *to, const float *from, int first, int end) {
#pragma unroll 4
  for (int i = threadIdx.x; i < Tile::Keys * Tile::Size / 4; i += Tile::Threads) {
    const int row = i / (Tile::Size / 4);
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (first + row < end)
      four = *(const float4 *)(from + (size_t)first * Tile::Size + 4 * i);
    *(float4 *)(to + 4 * i) = four;
  }
}

template <int Count> __device__ __forceinline__ void flash_fours(float (&to)[Count], const float *from) {
#pragma unroll
  for (int i = 0; i < Count; i += 4) {
    const float4 four = *(const float4 *)(from + i);
    to[i] = four.x, to[i + 1] = four.y, to[i + 2] = four.z, to[i + 3] = four.w;
  }
}

/* Grid: (ceil(queries / 128), heads, batch), 256 threads, Tile::SharedBytes of dynamic shared memory. */
#pragma gpuprof region("attention.flash_fp32") phase(forward) category(attention)
template <int Size>
__global__ void __launch_bounds__(256) attention_flash_fp32(const FlashArguments arguments) {
  typedef FlashTileFp32<Size> Tile;
  enum {
    Keys = Tile::Keys,
    Rows = Tile::RowsOfThread,
    Columns = Tile::KeysOfThread,
    Outputs = Tile::ColumnsOfThread
  };
  extern __shared__ __align__(16) float flash_fp32_memory[];
  float *const keys = flash_fp32_memory + Tile::KeyAt, *const values = flash_fp32_memory + Tile::ValueAt;
  const AttentionShape &shape = arguments.shape;
  const int block = shape.right < kAttentionAll ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  const int first_row = block * Tile::Rows, offset = shape.keys - shape.queries;
  const size_t head = (size_t)blockIdx.z * shape.heads + blockIdx.y;
  const size_t key_head = (size_t)blockIdx.z * shape.key_heads + blockIdx.y / (shape.heads / shape.key_heads);
  const float *query = (const float *)arguments.query + head * shape.queries * Size;
  const float *key = (const float *)arguments.key + key_head * shape.keys * Size;
  const float *value = (const float *)arguments.value + key_head * shape.keys * Size;
  const int last_row = min(first_row + Tile::Rows, shape.queries) - 1;
  const int seen_begin = max(first_row + offset - shape.left, 0);
  const int seen_end = min(last_row + offset + shape.right + 1, shape.keys);
  const int all_begin = last_row + offset - shape.left,
            all_end = min(first_row + offset + shape.right + 1, shape.keys);
  const int begin = seen_begin / Keys, end = seen_end > seen_begin ? (seen_end + Keys - 1) / Keys : begin;
  const int own_row = threadIdx.x / 16 * Rows, own = threadIdx.x % 16;
  float *const weights = flash_fp32_memory + Tile::WeightAt + own_row;

  flash_transpose<Tile, Tile::Rows, Tile::RowStride>(flash_fp32_memory, query, first_row, shape.queries);
  float output[Rows][Outputs] = {}, maximum[Rows], total[Rows] = {};
#pragma unroll
  for (int i = 0; i < Rows; ++i)
    maximum[i] = kFlashNone;
  const float scale = arguments.scale * kLog2E;

  for (int tile = begin; tile < end; ++tile) {
    __syncthreads();
    flash_transpose<Tile, Keys, Tile::KeyStride>(keys, key, tile * Keys, shape.keys);
    flash_rows<Tile>(values, value, tile * Keys, shape.keys);
    __syncthreads();

    float score[Rows][Columns] = {};
#pragma gpuprof region("attention.scores") phase(forward) category(attention)
    {
#pragma unroll 8
      for (int k = 0; k < Size; ++k) {
        float a[Rows], b[Columns];
        flash_fours(a, flash_fp32_memory + k * Tile::RowStride + own_row);
        flash_fours(b, keys + k * Tile::KeyStride + own * Columns);
#pragma unroll
        for (int i = 0; i < Rows; ++i)
#pragma unroll
          for (int j = 0; j < Columns; ++j)
            score[i][j] = fmaf(a[i], b[j], score[i][j]);
      }
    }

    const int first_key = tile * Keys;
    if (first_key < all_begin || first_key + Keys > all_end) {
#pragma unroll
      for (int i = 0; i < Rows; ++i) {
        const int row = first_row + own_row + i + offset, column = first_key + own * Columns;
        const int from = row - shape.left - column, to = min(row + shape.right + 1, shape.keys) - column;
#pragma unroll
        for (int j = 0; j < Columns; ++j)
          if (j < from || j >= to)
            score[i][j] = -INFINITY;
      }
    }

#pragma gpuprof region("attention.softmax") phase(forward) category(attention)
    {
#pragma unroll
      for (int i = 0; i < Rows; ++i) {
        float largest =
            fmaxf(maximum[i], fmaxf(fmaxf(score[i][0], score[i][1]), fmaxf(score[i][2], score[i][3])));
#pragma unroll
        for (int distance = 8; distance > 0; distance /= 2)
          largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, distance));
        const float minuend = largest * scale, correction = power_of_two(fmaf(maximum[i], scale, -minuend));
        maximum[i] = largest;
#pragma unroll
        for (int j = 0; j < Columns; ++j)
          score[i][j] = power_of_two(fmaf(score[i][j], scale, -minuend));
        total[i] = fmaf(total[i], correction, (score[i][0] + score[i][1]) + (score[i][2] + score[i][3]));
#pragma unroll
        for (int j = 0; j < Outputs; ++j)
          output[i][j] *= correction;
      }
      // Weights of the tile before are no longer needed. Place 16·j + own has key 4·own + j: lanes take different banks.
      __syncwarp();
#pragma unroll
      for (int j = 0; j < Columns; ++j)
#pragma unroll
        for (int i = 0; i < Rows; i += 4)
          *(float4 *)(weights + (16 * j + own) * Tile::RowStride + i) =
              make_float4(score[i][j], score[i + 1][j], score[i + 2][j], score[i + 3][j]);
      __syncwarp();
    }

#pragma gpuprof region("attention.values") phase(forward) category(attention)
    {
#pragma unroll 8
      for (int k = 0; k < Keys; ++k) {
        float a[Rows], b[Outputs];
        flash_fours(a, weights + k * Tile::RowStride);
#pragma unroll
        for (int j = 0; j < Outputs; j += 4) { // columns 4·own and on, of every 64: lanes are neighbours
          const float4 four =
              *(const float4 *)(values + (k % 16 * Columns + k / 16) * Size + own * 4 + 16 * j);
          b[j] = four.x, b[j + 1] = four.y, b[j + 2] = four.z, b[j + 3] = four.w;
        }
#pragma unroll
        for (int i = 0; i < Rows; ++i)
#pragma unroll
          for (int j = 0; j < Outputs; ++j)
            output[i][j] = fmaf(a[i], b[j], output[i][j]);
      }
    }
  }

  float *to = (float *)arguments.output + head * shape.queries * Size;
#pragma unroll
  for (int i = 0; i < Rows; ++i) {
    float sum = total[i];
#pragma unroll
    for (int distance = 8; distance > 0; distance /= 2)
      sum += __shfl_xor_sync(~0u, sum, distance);
    const int row = first_row + own_row + i;
    if (row >= shape.queries)
      continue;
    if (own == 0)
      arguments.logsumexp[head * shape.queries + row] =
          fmaf(maximum[i], scale, logarithm_of_two(sum)) * (1.0f / kLog2E);
    const float inverse = 1.0f / fmaxf(sum, 1e-30f); // 0 of a row that sees nothing: its output is 0
#pragma unroll
    for (int j = 0; j < Outputs; j += 4)
      *(float4 *)(to + (size_t)row * Size + own * 4 + 16 * j) =
          make_float4(output[i][j] * inverse, output[i][j + 1] * inverse, output[i][j + 2] * inverse,
                      output[i][j + 3] * inverse);
  }
}

/* CUDA's error, 0 for none. */
template <int Size> inline int attention_forward_fp32(const FlashArguments &arguments, cudaStream_t stream) {
  typedef FlashTileFp32<Size> Tile;
  const AttentionShape &s = arguments.shape;
  const dim3 grid((s.queries + Tile::Rows - 1) / Tile::Rows, s.heads, s.batch);
  const int error = (int)cudaFuncSetAttribute((const void *)attention_flash_fp32<Size>,
                                              cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::SharedBytes);
  if (error)
    return error;
  attention_flash_fp32<Size><<<grid, Tile::Threads, Tile::SharedBytes, stream>>>(arguments);
  return (int)cudaGetLastError();
}

template <int Size> inline FlashCost attention_flash_fp32_cost(const AttentionShape &s) {
  typedef FlashTileFp32<Size> Tile;
  const uint64_t heads = (uint64_t)s.batch * s.heads, blocks = heads * ceil_div(s.queries, Tile::Rows);
  const uint64_t rows = heads * s.queries;
  const FlashTiles visited = flash_tiles(s, Tile::Rows, Tile::Keys);
  const uint64_t tiles = visited.tiles, pairs = tiles * Tile::Rows * Tile::Keys,
                 row_tiles = tiles * Tile::Rows * 16;

  FlashCost cost = {};
  cost.nominal = 4 * Size * attention_pairs(s);
  cost.scores.fma = pairs * Size;
  cost.scores.shared_load = tiles * Tile::Threads * Size * 4 * (Tile::RowsOfThread + Tile::KeysOfThread);
  cost.softmax.fma = pairs + 2 * row_tiles;
  cost.softmax.special = pairs + row_tiles;
  cost.softmax.add = pairs - row_tiles;
  cost.softmax.mul = row_tiles * (1 + Tile::ColumnsOfThread);
  cost.softmax.shared_store = 4 * pairs;
  cost.values.fma = pairs * Size;
  cost.values.shared_load =
      tiles * Tile::Threads * Tile::Keys * 4 * (Tile::RowsOfThread + Tile::ColumnsOfThread);

  ClosedForm outside = {};
  outside.launches = 1;
  outside.threads = blocks * Tile::Threads;
  outside.add = 4 * 16 * blocks * Tile::Rows;
  outside.mul = outside.threads + rows * (1 + Size);
  outside.fma = outside.special = rows;
  outside.div = 16 * rows;
  outside.global_load = 4 * Size * (rows + 2 * visited.loaded);
  outside.global_store = 4 * rows * (Size + 1);
  outside.shared_store = 4 * Size * (blocks * Tile::Rows + 2 * tiles * Tile::Keys);
  outside.unique = 8 * rows * Size + sector_bytes(rows) +
                   8 * (uint64_t)s.batch * s.key_heads * visited.keys.count() * Size;
  cost.whole = outside + cost.scores + cost.softmax + cost.values;
  return cost;
}

#endif
