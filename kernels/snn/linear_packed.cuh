/* A linear layer on bits: 32 spikes a word, and weights of one bit (+1 or −1) or of two (+1, 0 or −1), with
 * a scale an output. A product of two bits is an AND, their sum a population count.
 *   binary    current[r][n] = scale[n]·(2·popc(s[r] & w⁺[n]) − popc(s[r]))
 *   ternary   current[r][n] = scale[n]·(popc(s[r] & w⁺[n]) − popc(s[r] & w⁻[n]))
 * Spikes [rows][words] from pack_rows, words = ceil(inputs/32), unused bits 0; weights [outputs][words]
 * each; scale [outputs]; current [rows][outputs], fp32.
 *
 * Counts for R rows, N outputs, W words, B planes of weights (1 or 2),
 * P = ceil(R/32), Q = ceil(N/32), D = ceil(W/32):
 *   mul R·N;  global load 4·Q·R·W + 4·B·P·N·W + 64·P·N (scale), store 4·R·N
 *   shared store 4096·P·Q·D·(1 + B), load 65536·P·Q·D·(1 + B)
 * Accumulates: spikes·N (binary); pairs of a spike and a weight that is not 0 (ternary).
 */
#ifndef GPUPROF_KERNELS_LINEAR_PACKED_CUH
#define GPUPROF_KERNELS_LINEAR_PACKED_CUH

#include "events.cuh"

enum {
  kPackedSide = 16, /* threads across a tile's rows, and across its outputs */
  kPackedThreads = kPackedSide * kPackedSide,
  kPackedOfThread = 2, /* rows of a thread, and outputs */
  kPackedTile = kPackedSide * kPackedOfThread,
  kPackedDepth = kWarp /* words of a turn: a warp loads a row */
};

/* Words of kPackedTile vectors, in shared memory; the padding spreads a column over the banks. */
typedef unsigned PackedTile[kPackedTile][kPackedDepth + 1];

__device__ __forceinline__ void packed_load(PackedTile &tile, const unsigned *words, int first, int end,
                                            int depth, int words_of_row) {
  const int word = depth + threadIdx.x % kWarp;
#pragma unroll
  for (int j = 0; j < kPackedTile; j += kPackedThreads / kWarp) {
    int row = j + threadIdx.x / kWarp;
    bool inside = first + row < end && word < words_of_row;
    tile[row][threadIdx.x % kWarp] = inside ? words[(size_t)(first + row) * words_of_row + word] : 0u;
  }
}

/* How many of the kPackedOfThread rows or outputs of a thread exist, with so many left from its first one. */
__device__ __forceinline__ int packed_own(int left) {
  return left <= 0 ? 0 : left < kPackedOfThread ? left : (int)kPackedOfThread;
}

/* `minus` is read where weights are ternary. Grid: (ceil(outputs / 32), ceil(rows / 32)), kPackedThreads
 * threads. */
#pragma gpuprof region("linear.packed") phase(forward) category(snn)
template <bool Ternary>
__global__ void __launch_bounds__(kPackedThreads)
    linear_packed(const unsigned *__restrict__ spikes, const unsigned *__restrict__ plus,
                  const unsigned *__restrict__ minus, const float *__restrict__ scale,
                  float *__restrict__ current, int rows, int inputs, int outputs) {
  __shared__ PackedTile fired, up, down;
  const int words = (inputs + kWarp - 1) / kWarp;
  const int row = blockIdx.y * kPackedTile, output = blockIdx.x * kPackedTile;
  const int own_row = threadIdx.x / kPackedSide * kPackedOfThread;
  const int own_output = threadIdx.x % kPackedSide * kPackedOfThread;
  const int own_rows = packed_own(rows - row - own_row),
            own_outputs = packed_own(outputs - output - own_output);
#pragma gpuprof synapse(0, inputs) inputs(own_rows * own_outputs)
  int sum[kPackedOfThread][kPackedOfThread] = {};
  for (int depth = 0; depth < words; depth += kPackedDepth) {
    __syncthreads();
    packed_load(fired, spikes, row, rows, depth, words);
    packed_load(up, plus, output, outputs, depth, words);
    if (Ternary)
      packed_load(down, minus, output, outputs, depth, words);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < kPackedDepth; ++k) {
      unsigned s[kPackedOfThread], p[kPackedOfThread], m[kPackedOfThread];
      int all[kPackedOfThread], hits = 0; // spikes of a row, and those meeting a ternary weight
#pragma unroll
      for (int i = 0; i < kPackedOfThread; ++i) {
        s[i] = fired[own_row + i][k];
        p[i] = up[own_output + i][k];
        m[i] = Ternary ? down[own_output + i][k] : 0u;
        all[i] = __popc(s[i]);
      }
#pragma unroll
      for (int i = 0; i < kPackedOfThread; ++i)
#pragma unroll
        for (int j = 0; j < kPackedOfThread; ++j)
          sum[i][j] += Ternary ? __popc(s[i] & p[j]) - __popc(s[i] & m[j]) : 2 * __popc(s[i] & p[j]) - all[i];
#pragma unroll
      for (int i = 0; i < kPackedOfThread; ++i)
#pragma unroll
        for (int j = 0; j < kPackedOfThread; ++j)
          hits += __popc(s[i] & (p[j] | m[j]));
#pragma gpuprof synapse(Ternary ? hits : all[0] + all[1], Ternary ? 1 : own_outputs) inputs(0)
    }
  }
  float by[kPackedOfThread];
#pragma unroll
  for (int j = 0; j < kPackedOfThread; ++j)
    by[j] = output + own_output + j < outputs ? scale[output + own_output + j] : 0.0f;
#pragma unroll
  for (int i = 0; i < kPackedOfThread; ++i)
#pragma unroll
    for (int j = 0; j < kPackedOfThread; ++j)
      if (row + own_row + i < rows && output + own_output + j < outputs)
        current[(size_t)(row + own_row + i) * outputs + output + own_output + j] = by[j] * (float)sum[i][j];
}

/* `words` hold the spikes; `operations` of ternary weights come from the reference. */
inline ClosedForm linear_packed_cost(uint64_t rows, uint64_t inputs, uint64_t outputs, bool ternary,
                                     uint64_t operations) {
  ClosedForm cost = {};
  uint64_t words = ceil_div(inputs, kWarp), planes = ternary ? 2 : 1;
  uint64_t row_tiles = ceil_div(rows, kPackedTile), output_tiles = ceil_div(outputs, kPackedTile);
  uint64_t turns = row_tiles * output_tiles * ceil_div(words, kPackedDepth);
  cost.launches = 1;
  cost.threads = row_tiles * output_tiles * kPackedThreads;
  cost.mul = rows * outputs;
  cost.global_load = 4 * output_tiles * rows * words + 4 * planes * row_tiles * outputs * words +
                     4 * kPackedSide * row_tiles * outputs;
  cost.global_store = 4 * rows * outputs;
  cost.shared_store = 4 * kPackedTile * kPackedDepth * turns * (1 + planes);
  cost.shared_load = 4 * kPackedOfThread * kPackedThreads * kPackedDepth * turns * (1 + planes);
  cost.unique = sectors_of(4 * rows * words) + planes * sectors_of(4 * outputs * words) +
                sectors_of(4 * outputs) + sectors_of(4 * rows * outputs);
  cost.synaptic_accumulates = operations;
  cost.synaptic_possible = rows * inputs * outputs;
  return cost;
}

#endif
