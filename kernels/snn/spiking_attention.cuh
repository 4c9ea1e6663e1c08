/* Self-attention of spikes, as in Spikformer: query, key and value are binary, and there is no softmax.
 *   output[i] = scale·Σ_j (q_i·k_j)·v_j = scale·(Q·Kᵀ)·V = scale·Q·(Kᵀ·V)
 * query, key, value: spikes [heads][length][Size], 0 or 1; heads include batch and steps. output: the same in fp32.
 * Scores and states are whole numbers, exact below 2²⁴; only the scale rounds.
 *
 *   dense     bytes through two tiled products, as frameworks do it:
 *             spiking_attention_scores   scores [heads][length][length] = Q·Kᵀ, fp32
 *             spiking_attention_values   output = scale·scores·V
 *   packed    spiking_attention_packed   Q, K from pack_rows [heads·length][Size/32], V from pack_columns
 *             [heads][ceil(length/32)][Size]. A score is a popcount; bit b of 32 scores is a word again (ballot), so
 *             that scores times values are popcounts too. No score matrix in memory
 *   linear    spiking_attention_state    state [heads][Size][Size] = Kᵀ·V, K and V from pack_columns, by popcounts
 *             spiking_attention_read     each spike of a query adds a row of the state
 *
 * Counts for H heads, length L, Size D = 32·W, G = ceil(L/32):
 *   ….scores    product.cuh for (L, L, D) a head; global load Q·L·D + P·L·D bytes, store 4·L² (P, Q: tiles of product.cuh)
 *   ….values    product.cuh for (L, D, L) a head; mul L·D; global load 4·Q·L² + P·L·D, store 4·L·D
 *   ….packed    mul H·L·D; global load H·(128·L·W + 4·ceil(L/4)·(L·W + G·D)), store 4·H·L·D
 *   ….state     global load H·G·2048·(D/16), store 4·H·D²
 *   ….read      mul H·L·D; E spikes of Q: global load 4·E·D + 128·H·L·W, store 4·H·L·D
 * Integer additions and popcounts are in no FLOP count. Accumulates: for Q·Kᵀ and Kᵀ·V the pairs of spikes that meet;
 * each spike of V adds L scores; each spike of Q adds D values of the state.
 */
#ifndef GPUPROF_KERNELS_SPIKING_ATTENTION_CUH
#define GPUPROF_KERNELS_SPIKING_ATTENTION_CUH

#include "events.cuh"
#include "product.cuh"

enum {
  kAttentionQueries = 4, /* of a warp, in spiking_attention_packed */
  kAttentionSide = 16    /* threads across the state, and along it */
};

/* Bits of a score, 0 to Size. */
template <int Size> struct ScoreBits {
  enum { kBits = 1 + ScoreBits<Size / 2>::kBits };
};
template <> struct ScoreBits<1> {
  enum { kBits = 1 };
};

/* Grid: (ceil(length / 64), ceil(length / (16·RowsOfThread)), heads), kProductThreads threads. */
#pragma gpuprof region("spiking_attention.scores") phase(forward) category(snn)
template <int RowsOfThread>
__global__ void __launch_bounds__(kProductThreads)
    spiking_attention_scores(const signed char *__restrict__ query, const signed char *__restrict__ key,
                             float *__restrict__ scores, int length, int size) {
  const size_t head = (size_t)blockIdx.z * length;
  product_tile<RowsOfThread, true>(
      [=](int i, int d) { return i < length ? (float)query[(head + i) * size + d] : 0.0f; },
      [=](int d, int j) { return j < length ? (float)key[(head + j) * size + d] : 0.0f; },
      [=](int i, int j, float sum) {
        if (i < length && j < length)
          scores[(head + i) * length + j] = sum;
      },
      blockIdx.y * kProductSide * RowsOfThread, blockIdx.x * kProductColumns, 0, size);
  const int values = threadIdx.x == 0 ? product_tile_values<RowsOfThread>(length, length) : 0;
#pragma gpuprof synapse(values, size) multiply inputs(values)
}

/* Grid: (ceil(size / 64), ceil(length / (16·RowsOfThread)), heads), kProductThreads threads. */
#pragma gpuprof region("spiking_attention.values") phase(forward) category(snn)
template <int RowsOfThread>
__global__ void __launch_bounds__(kProductThreads)
    spiking_attention_values(const float *__restrict__ scores, const signed char *__restrict__ value,
                             float *__restrict__ output, int length, int size, float scale) {
  const size_t head = (size_t)blockIdx.z * length;
  product_tile<RowsOfThread, false>(
      [=](int i, int j) { return i < length ? scores[(head + i) * length + j] : 0.0f; },
      [=](int j, int d) { return d < size ? (float)value[(head + j) * size + d] : 0.0f; },
      [=](int i, int d, float sum) {
        if (i < length && d < size)
          output[(head + i) * size + d] = scale * sum;
      },
      blockIdx.y * kProductSide * RowsOfThread, blockIdx.x * kProductColumns, 0, length);
  const int values = threadIdx.x == 0 ? product_tile_values<RowsOfThread>(length, size) : 0;
#pragma gpuprof synapse(values, length) multiply inputs(values)
}

/* Grid: (ceil(length / (kAttentionQueries·kEventWarps)), heads), kEventBlock threads. */
#pragma gpuprof region("spiking_attention.packed") phase(forward) category(snn)
template <int Size>
__global__ void __launch_bounds__(kEventBlock)
    spiking_attention_packed(const unsigned *__restrict__ query, const unsigned *__restrict__ key,
                             const unsigned *__restrict__ value, float *__restrict__ output, int length,
                             float scale) {
  enum { kWords = Size / kWarp };
  const int lane = threadIdx.x % kWarp;
  const int first_query = (blockIdx.x * kEventWarps + threadIdx.x / kWarp) * kAttentionQueries;
  const size_t head = (size_t)blockIdx.y * length;
  if (first_query >= length)
    return;
  const int own_queries =
      length - first_query < kAttentionQueries ? length - first_query : (int)kAttentionQueries;
#pragma gpuprof synapse(0, 2 * length * kWords) inputs(own_queries)
  unsigned q[kAttentionQueries][kWords];
  int sum[kAttentionQueries][kWords];
#pragma unroll
  for (int i = 0; i < kAttentionQueries; ++i)
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      q[i][w] = first_query + i < length ? query[(head + first_query + i) * kWords + w] : 0u;
      sum[i][w] = 0;
    }
  const unsigned *from_value = value + (size_t)blockIdx.y * ((length + kWarp - 1) / kWarp) * Size + lane;
  for (int first = 0; first < length; first += kWarp, from_value += Size) {
    unsigned k[kWords], v[kWords];
    int spikes = 0; // of values
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      k[w] = first + lane < length ? key[(head + first + lane) * kWords + w] : 0u;
      v[w] = from_value[w * kWarp];
      spikes += __popc(v[w]);
    }
#pragma gpuprof synapse(spikes, own_queries) inputs(0)
#pragma unroll
    for (int i = 0; i < kAttentionQueries; ++i) {
      const int score = popc_dot(q[i], k);
#pragma gpuprof synapse(score, 1) inputs(0)
#pragma unroll
      for (int bit = 0; bit < ScoreBits<Size>::kBits; ++bit) {
        const unsigned plane = __ballot_sync(kWholeWarp, score >> bit & 1);
#pragma unroll
        for (int w = 0; w < kWords; ++w)
          sum[i][w] += __popc(plane & v[w]) << bit;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kAttentionQueries; ++i)
    if (first_query + i < length)
#pragma unroll
      for (int w = 0; w < kWords; ++w)
        output[(head + first_query + i) * Size + w * kWarp + lane] = scale * (float)sum[i][w];
}

/* Grid: heads, kAttentionSide² threads. */
#pragma gpuprof region("spiking_attention.state") phase(forward) category(snn)
template <int Size>
__global__ void __launch_bounds__(kAttentionSide *kAttentionSide)
    spiking_attention_state(const unsigned *__restrict__ key, const unsigned *__restrict__ value,
                            int *__restrict__ state, int length) {
  enum { kOfThread = Size / kAttentionSide };
  const int groups = (length + kWarp - 1) / kWarp;
  const int row = threadIdx.x / kAttentionSide * kOfThread, column = threadIdx.x % kAttentionSide * kOfThread;
  int sum[kOfThread][kOfThread] = {};
  for (int g = 0; g < groups; ++g) {
    const size_t at = ((size_t)blockIdx.x * groups + g) * Size;
    unsigned k[kOfThread], v[kOfThread];
#pragma unroll
    for (int i = 0; i < kOfThread; ++i) {
      k[i] = key[at + row + i];
      v[i] = value[at + column + i];
    }
#pragma unroll
    for (int i = 0; i < kOfThread; ++i)
#pragma unroll
      for (int j = 0; j < kOfThread; ++j)
        sum[i][j] += __popc(k[i] & v[j]);
  }
  int pairs = 0;
#pragma unroll
  for (int i = 0; i < kOfThread; ++i)
#pragma unroll
    for (int j = 0; j < kOfThread; ++j)
      pairs += sum[i][j];
#pragma gpuprof synapse(pairs, 1) inputs(length * kOfThread * kOfThread)
#pragma unroll
  for (int i = 0; i < kOfThread; ++i)
#pragma unroll
    for (int j = 0; j < kOfThread; ++j)
      state[((size_t)blockIdx.x * Size + row + i) * Size + column + j] = sum[i][j];
}

/* Grid: (ceil(length / kEventWarps), heads), kEventBlock threads: a warp a query. */
#pragma gpuprof region("spiking_attention.read") phase(forward) category(snn)
template <int Size>
__global__ void __launch_bounds__(kEventBlock)
    spiking_attention_read(const unsigned *__restrict__ query, const int *__restrict__ state,
                           float *__restrict__ output, int length, float scale) {
  enum { kWords = Size / kWarp };
  const int row = blockIdx.x * kEventWarps + threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  if (row >= length)
    return;
  const size_t at = (size_t)blockIdx.y * length + row;
  int sum[kWords] = {};
#pragma unroll
  for (int w = 0; w < kWords; ++w)
    for (unsigned left = query[at * kWords + w]; left; left &= left - 1) {
      const int d = w * kWarp + __ffs((int)left) - 1;
#pragma unroll
      for (int c = 0; c < kWords; ++c)
        sum[c] += state[((size_t)blockIdx.y * Size + d) * Size + c * kWarp + lane];
#pragma gpuprof synapse(1, kWords) inputs(0)
    }
#pragma gpuprof synapse(0, kWords) inputs(Size)
#pragma unroll
  for (int c = 0; c < kWords; ++c)
    output[at * Size + c * kWarp + lane] = scale * (float)sum[c];
}

/* ---- Counts ---- */

/* Meeting pairs of spikes: in a score of one query and key, or in the state for one token. */
struct SpikePairs {
  uint64_t scores, states;
};

inline SpikePairs spike_pairs(const signed char *query, const signed char *key, const signed char *value,
                              uint64_t heads, uint64_t length, uint64_t size) {
  SpikePairs pairs = {};
  for (uint64_t h = 0; h < heads; ++h) {
    const uint64_t head = h * length * size;
    for (uint64_t d = 0; d < size; ++d) {
      uint64_t queries = 0, keys = 0;
      for (uint64_t i = 0; i < length; ++i) {
        queries += query[head + i * size + d] != 0;
        keys += key[head + i * size + d] != 0;
      }
      pairs.scores += queries * keys;
    }
    for (uint64_t j = 0; j < length; ++j)
      pairs.states += spikes_in(key + head + j * size, size) * spikes_in(value + head + j * size, size);
  }
  return pairs;
}

/* `heads` launches in one. */
inline ClosedForm of_heads(const ClosedForm &head, uint64_t heads) {
  ClosedForm cost = {};
  for (uint64_t h = 0; h < heads; ++h)
    cost = cost + head;
  cost.launches = 1;
  return cost;
}

inline ClosedForm spiking_attention_scores_cost(uint64_t heads, uint64_t length, uint64_t size,
                                                uint64_t rows_of_thread) {
  ClosedForm head = product_cost(length, length, size, size, rows_of_thread);
  uint64_t row_tiles = ceil_div(length, kProductSide * rows_of_thread),
           column_tiles = ceil_div(length, kProductColumns);
  head.global_load = (row_tiles + column_tiles) * length * size;
  head.global_store = 4 * length * length;
  ClosedForm cost = of_heads(head, heads);
  cost.unique = 2 * sectors_of(heads * length * size) + sectors_of(cost.global_store);
  cost.synaptic_multiply_accumulates = cost.synaptic_possible = heads * length * length * size;
  return cost;
}

inline ClosedForm spiking_attention_values_cost(uint64_t heads, uint64_t length, uint64_t size,
                                                uint64_t rows_of_thread) {
  ClosedForm head = product_cost(length, size, length, length, rows_of_thread);
  uint64_t row_tiles = ceil_div(length, kProductSide * rows_of_thread),
           column_tiles = ceil_div(size, kProductColumns);
  head.mul = length * size;
  head.global_load = 4 * column_tiles * length * length + row_tiles * length * size;
  head.global_store = 4 * length * size;
  ClosedForm cost = of_heads(head, heads);
  cost.unique = sectors_of(4 * heads * length * length) + sectors_of(heads * length * size) +
                sectors_of(cost.global_store);
  cost.synaptic_multiply_accumulates = cost.synaptic_possible = heads * length * length * size;
  return cost;
}

/* `value_spikes` and `pairs` are of all heads. */
inline ClosedForm spiking_attention_packed_cost(uint64_t heads, uint64_t length, uint64_t size,
                                                uint64_t value_spikes, const SpikePairs &pairs) {
  ClosedForm cost = {};
  uint64_t words = size / kWarp, groups = ceil_div(length, kWarp),
           warps = ceil_div(length, kAttentionQueries);
  cost.launches = 1;
  cost.threads = heads * ceil_div(length, kAttentionQueries * kEventWarps) * kEventBlock;
  cost.mul = heads * length * size;
  cost.global_load = heads * (4 * kWarp * length * words + 4 * warps * (length * words + groups * size));
  cost.global_store = 4 * heads * length * size;
  cost.unique = 2 * sectors_of(4 * heads * length * words) + sectors_of(4 * heads * groups * size) +
                sectors_of(cost.global_store);
  cost.synaptic_accumulates = pairs.scores + length * value_spikes;
  cost.synaptic_possible = 2 * heads * length * length * size;
  return cost;
}

inline ClosedForm spiking_attention_state_cost(uint64_t heads, uint64_t length, uint64_t size,
                                               const SpikePairs &pairs) {
  ClosedForm cost = {};
  uint64_t groups = ceil_div(length, kWarp);
  cost.launches = 1;
  cost.threads = heads * kAttentionSide * kAttentionSide;
  cost.global_load = cost.threads * groups * 2 * (size / kAttentionSide) * 4;
  cost.global_store = 4 * heads * size * size;
  cost.unique = 2 * sectors_of(4 * heads * groups * size) + sectors_of(cost.global_store);
  cost.synaptic_accumulates = pairs.states;
  cost.synaptic_possible = heads * length * size * size;
  return cost;
}

inline ClosedForm spiking_attention_read_cost(const signed char *query, uint64_t heads, uint64_t length,
                                              uint64_t size) {
  ClosedForm cost = {};
  uint64_t events = spikes_in(query, heads * length * size), words = size / kWarp;
  Sectors states;
  for (uint64_t i = 0; i < heads * length * size; ++i)
    if (query[i])
      states.add(4 * size * (i / (length * size) * size + i % size), 4 * size);
  cost.launches = 1;
  cost.threads = heads * ceil_div(length, kEventWarps) * kEventBlock;
  cost.mul = heads * length * size;
  cost.global_load = 4 * events * size + 4 * kWarp * heads * length * words;
  cost.global_store = 4 * heads * length * size;
  cost.unique = sectors_of(4 * heads * length * words) + states.bytes() + sectors_of(cost.global_store);
  cost.synaptic_accumulates = events * size;
  cost.synaptic_possible = heads * length * size * size;
  return cost;
}

#endif
