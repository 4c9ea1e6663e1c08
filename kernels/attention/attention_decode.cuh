/* Attention of one new token to a long cache of keys and values (decoding), split over the keys. The cache lies in one
 * piece a sequence, or in pages; query heads may share key heads (grouped-query attention).
 *
 *   s_j = scale·q·k_j,  o = Σ exp(s_j)·v_j / Σ exp(s_j)   over the first lengths[b] keys of sequence b
 *
 * Shapes: query, output [batch][key_heads·Group][Size]: query head h goes with key head h/Group. Size 64 or 128.
 *   in one piece   key, value [batch][key_heads][capacity][Size]
 *   Paged          key, value [pages][key_heads][page][Size]; key j of sequence b is row j mod page of page
 *                  table[b][j/page]; page is a power of two, the table [batch][capacity/page]
 * First kernel, grid (splits, key_heads, batch): split s takes keys s·span to (s + 1)·span. It takes them for all query
 * heads of the key head: a key is read once. It leaves a normalised output and the logarithm (to base 2) of its sum,
 * partial [batch][heads][splits][Size] and logs [batch][heads][splits]; with one split it writes `output`.
 * Second kernel, grid (heads, batch), Size threads: the splits' outputs, weighted by their sums.
 *
 * Every length is 1 or more: with 0, the output is undefined.
 *
 * A key is 16 bytes in each of P = Size·E/16 lanes. A warp takes batches of 8 keys (4 if Group > 4) for each of its 32/P groups of
 * lanes. Products are summed over the lanes of a group so that each lane ends with one key. It computes that key's exponential.
 *
 * Closed form: attention_decode_cost() and attention_decode_combine_cost(). With U = Σ ⌈n·P/(32·J)⌉ batches of J keys of the splits
 * of n keys (over key heads and sequences), G query heads a key head, N = 16/E elements a lane, S used splits of a head:
 *   decode    fma 32·U·G·(2·J·N + 1), add 32·U·G·(J + 1 + log₂(P/J)), mul 32·U·G·N, special 64·U·G; what a split costs once
 *             is in the function;  global load 2·E·Size a key (Paged: 4·P more), 16·G + 4 a thread
 *   combine   an output element: add 2·S, special S, fma S, div 1;  load 12·S + 4, store E
 */
#ifndef GPUPROF_KERNELS_ATTENTION_DECODE_CUH
#define GPUPROF_KERNELS_ATTENTION_DECODE_CUH

#include "../transformer/rows.cuh"

struct DecodeShape {
  int batch, key_heads, capacity; /* capacity: keys that a sequence has room for */
  int span;                       /* keys of a split */
  int page_shift;                 /* log2 of a page's keys, if Paged */
  float scale_log2;               /* scale·log2(e) */
};

enum { kDecodeWarps = 4, kDecodeThreads = 32 * kDecodeWarps };

/* Splits for a GPU that holds `resident` blocks at once: one round of them, since long splits are faster. */
inline int decode_splits_for(int batch, int key_heads, int capacity, int resident) {
  const int splits = resident / (batch * key_heads), most = (capacity + 255) / 256;
  return splits < 1 ? 1 : splits < most ? splits : most;
}
inline int decode_splits(const DecodeShape &shape) { return (shape.capacity + shape.span - 1) / shape.span; }
inline DecodeShape decode_shape(int batch, int key_heads, int capacity, int splits, int page_shift,
                                double scale) {
  const int span = (capacity + splits - 1) / splits;
  const DecodeShape shape = {batch, key_heads,  capacity,
                             span,  page_shift, (float)(scale * 1.4426950408889634)};
  return shape;
}

/* Keys of a batch: fewer where more query heads live in registers. */
constexpr int decode_keys(int group) { return group > 4 ? 4 : 8; }

/* Sums `Count` values over the lanes of a group of `Lanes`; lane L of it gets value L·Count/Lanes. */
template <int Lanes, int Count>
__device__ __forceinline__ float decode_scatter_sum(const float (&values)[Count]) {
  if constexpr (Count == 1) {
    float sum = values[0];
#pragma unroll
    for (int offset = Lanes / 2; offset > 0; offset /= 2)
      sum = sum + __shfl_xor_sync(0xffffffffu, sum, offset);
    return sum;
  } else {
    const bool upper = threadIdx.x & (Lanes / 2);
    float half[Count / 2];
#pragma unroll
    for (int k = 0; k < Count / 2; ++k) {
      const float sent = upper ? values[k] : values[k + Count / 2],
                  kept = upper ? values[k + Count / 2] : values[k];
      half[k] = kept + __shfl_xor_sync(0xffffffffu, sent, Lanes / 2);
    }
    return decode_scatter_sum<Lanes / 2, Count / 2>(half);
  }
}

#pragma gpuprof region("attention.decode") phase(forward) category(attention)
template <typename Element, int Size, int Group, bool Paged>
__global__ void __launch_bounds__(kDecodeThreads)
    attention_decode(const Element *__restrict__ query, const Element *__restrict__ key,
                     const Element *__restrict__ value, const int *__restrict__ lengths,
                     const int *__restrict__ table, Element *__restrict__ output, float *__restrict__ partial,
                     float *__restrict__ logs, DecodeShape shape) {
  enum {
    kKeys = decode_keys(Group),
    kLanes = SnnPack<Element>::kLanes,
    kKeyLanes = Size / kLanes, /* lanes of a key */
    kGroups = 32 / kKeyLanes,  /* groups of lanes in a warp */
    kParts = kDecodeWarps * kGroups,
    kStep = kGroups * kKeys
  };
  __shared__ __align__(16) float sums[kParts][Group][Size];
  __shared__ float part_largest[Group][kParts], part_total[Group][kParts], weights[Group][kParts];
  const int split = blockIdx.x, key_head = blockIdx.y, sequence = blockIdx.z;
  const int length = lengths[sequence], begin = split * shape.span;
  const int end = min(length, begin + shape.span);
  if (begin >= end)
    return;
  const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / kKeyLanes, lane = threadIdx.x % kKeyLanes;
  const size_t head = ((size_t)sequence * shape.key_heads + key_head) * Group;

  float q[Group][kLanes], sum[Group][kLanes], largest[Group], total[Group];
#pragma unroll
  for (int h = 0; h < Group; ++h) {
    SnnPack<Element> pack;
    pack.load(query + (head + h) * Size + lane * kLanes);
    pack.read(q[h]);
    largest[h] = -3.0e38f, total[h] = __uint_as_float(row_zero());
#pragma unroll
    for (int i = 0; i < kLanes; ++i)
      q[h][i] = __fmul_rn(q[h][i], shape.scale_log2), sum[h][i] = total[h];
  }

  for (int first = begin + warp * kStep; first < end; first += kDecodeWarps * kStep) {
    RowPack<Element> keys[kKeys], values[kKeys];
#pragma unroll
    for (int k = 0; k < kKeys; ++k) {
      const int j = first + k * kGroups + group;
      keys[k].clear(), values[k].clear();
      if (j < end) {
        size_t row;
        if (Paged) {
          const int entry =
              table[(size_t)sequence * (shape.capacity >> shape.page_shift) + (j >> shape.page_shift)];
          row = (((size_t)entry * shape.key_heads + key_head) << shape.page_shift) +
                (j & ((1 << shape.page_shift) - 1));
        } else {
          row = ((size_t)sequence * shape.key_heads + key_head) * shape.capacity + j;
        }
        keys[k].load(key + row * Size + lane * kLanes);
        values[k].load(value + row * Size + lane * kLanes);
      }
    }
    const int own = first + (lane * kKeys / kKeyLanes) * kGroups + group; // the key of this lane
    float weight[Group];
#pragma unroll
    for (int h = 0; h < Group; ++h) {
      float score[kKeys];
#pragma unroll
      for (int k = 0; k < kKeys; ++k) {
        float x[kLanes];
        keys[k].read(x);
        score[k] = __uint_as_float(row_zero());
#pragma unroll
        for (int i = 0; i < kLanes; ++i)
          score[k] = fmaf(q[h][i], x[i], score[k]);
      }
      float mine = decode_scatter_sum<kKeyLanes, kKeys>(score);
      mine = own < end ? mine : -INFINITY;
      float now = fmaxf(largest[h], mine);
#pragma unroll
      for (int offset = kKeyLanes / 2; offset >= kKeyLanes / kKeys; offset /= 2)
        now = fmaxf(now, __shfl_xor_sync(0xffffffffu, now, offset));
      weight[h] = row_exp2(mine - now);
      const float correction = row_exp2(largest[h] - now);
      largest[h] = now;
      total[h] = fmaf(total[h], correction, weight[h]);
#pragma unroll
      for (int i = 0; i < kLanes; ++i)
        sum[h][i] = __fmul_rn(sum[h][i], correction);
    }
#pragma unroll
    for (int k = 0; k < kKeys; ++k) {
      float x[kLanes];
      values[k].read(x);
#pragma unroll
      for (int h = 0; h < Group; ++h) {
        const float w = __shfl_sync(0xffffffffu, weight[h], k * kKeyLanes / kKeys, kKeyLanes);
#pragma unroll
        for (int i = 0; i < kLanes; ++i)
          sum[h][i] = fmaf(w, x[i], sum[h][i]);
      }
    }
  }

  const int part = warp * kGroups + group;
#pragma unroll
  for (int h = 0; h < Group; ++h) {
#pragma unroll
    for (int offset = kKeyLanes / 2; offset >= kKeyLanes / kKeys; offset /= 2)
      total[h] = total[h] + __shfl_xor_sync(0xffffffffu, total[h], offset);
    total[h] = row_computed(total[h]);
    if (lane == 0)
      part_largest[h][part] = largest[h], part_total[h][part] = total[h];
#pragma unroll
    for (int i = 0; i < kLanes; i += 4)
      *(float4 *)&sums[part][h][lane * kLanes + i] =
          make_float4(sum[h][i], sum[h][i + 1], sum[h][i + 2], sum[h][i + 3]);
  }
  __syncthreads();
  const bool whole = gridDim.x == 1;
  if (threadIdx.x < Group) {
    const int h = threadIdx.x;
    float of_part[kParts], most = -INFINITY, all = __uint_as_float(row_zero());
#pragma unroll
    for (int p = 0; p < kParts; ++p)
      of_part[p] = part_largest[h][p], most = fmaxf(most, of_part[p]);
#pragma unroll
    for (int p = 0; p < kParts; ++p) {
      of_part[p] = row_exp2(of_part[p] - most);
      all = fmaf(of_part[p], part_total[h][p], all);
    }
    const float inverse = 1.0f / all;
#pragma unroll
    for (int p = 0; p < kParts; ++p)
      weights[h][p] = __fmul_rn(of_part[p], inverse);
    const float logarithm = row_computed(most + row_log2(all));
    if (!whole)
      logs[(head + h) * gridDim.x + split] = logarithm;
  }
  __syncthreads();
  for (int e = threadIdx.x; e < Group * Size; e += kDecodeThreads) {
    const int h = e / Size, i = e % Size;
    float o = __uint_as_float(row_zero());
#pragma unroll
    for (int p = 0; p < kParts; ++p)
      o = fmaf(weights[h][p], sums[p][h][i], o);
    if (whole)
      output[(head + h) * Size + i] = snn_element<Element>(o);
    else
      partial[((head + h) * gridDim.x + split) * Size + i] = o;
  }
}

#pragma gpuprof region("attention.decode.combine") phase(forward) category(attention)
template <typename Element, int Size>
__global__ void __launch_bounds__(Size)
    attention_decode_combine(const float *__restrict__ partial, const float *__restrict__ logs,
                             const int *__restrict__ lengths, Element *__restrict__ output, DecodeShape shape,
                             int splits) {
  const size_t head = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
  const int used = (lengths[blockIdx.y] + shape.span - 1) / shape.span;
  const float *of_split = partial + head * splits * Size + threadIdx.x, *log = logs + head * splits;
  float most = -3.0e38f, total = __uint_as_float(row_zero()), o = total;
  for (int s = 0; s < used; ++s)
    most = fmaxf(most, log[s]);
  for (int s = 0; s < used; ++s) {
    const float weight = row_exp2(log[s] - most);
    total = total + weight;
    o = fmaf(weight, of_split[(size_t)s * Size], o);
  }
  output[head * Size + threadIdx.x] = snn_element<Element>(o / total);
}

/* ---- Cost; every length is 1 or more ---- */

inline uint64_t decode_log2(uint64_t power) {
  uint64_t log = 0;
  while (power > 1)
    power /= 2, ++log;
  return log;
}

/* Sectors of the logarithms of splits that have keys. */
inline uint64_t decode_log_bytes(const DecodeShape &shape, const int *lengths, uint64_t heads) {
  return ragged_bytes(shape.batch * heads, (uint64_t)decode_splits(shape), 4, [&](uint64_t row) {
    return ceil_div((uint64_t)lengths[row / heads], (uint64_t)shape.span);
  });
}

inline ClosedForm attention_decode_cost(const DecodeShape &shape, const int *lengths, uint64_t size,
                                        uint64_t group, bool paged, uint64_t element_bytes) {
  ClosedForm cost = {};
  const uint64_t lanes = 16 / element_bytes, key_lanes = size / lanes, groups = 32 / key_lanes,
                 parts = kDecodeWarps * groups, splits = (uint64_t)decode_splits(shape),
                 heads = (uint64_t)shape.key_heads, batch_keys = decode_keys((int)group);
  uint64_t batches = 0, used = 0, keys = 0;
  for (int b = 0; b < shape.batch; ++b)
    for (int begin = 0; begin < lengths[b]; begin += shape.span) {
      const uint64_t here = (uint64_t)(lengths[b] - begin < shape.span ? lengths[b] - begin : shape.span);
      batches += heads * ceil_div(here, groups * batch_keys);
      keys += heads * here;
      used += heads;
    }
  const uint64_t blocks = splits * heads * shape.batch, elements = used * group * size;
  cost.launches = 1;
  cost.threads = blocks * kDecodeThreads;
  cost.fma = 32 * batches * group * (2 * batch_keys * lanes + 1) + used * group * parts + elements * parts;
  cost.add = 32 * batches * group * (batch_keys - 1 + decode_log2(key_lanes) - decode_log2(batch_keys) + 2) +
             used * group * (decode_log2(batch_keys) * kDecodeThreads + parts + 1);
  cost.mul = 32 * batches * group * lanes + used * group * (lanes * kDecodeThreads + parts);
  cost.special = 32 * batches * group * 2 + used * group * (parts + 1);
  cost.div = used * group;
  cost.global_load = 4 * blocks * kDecodeThreads + 2 * element_bytes * size * keys +
                     16 * used * group * kDecodeThreads + (paged ? 4 * key_lanes * keys : 0);
  cost.global_store = elements * (splits == 1 ? element_bytes : 4) + (splits == 1 ? 0 : 4 * used * group);
  cost.shared_store = used * group * (4 * lanes * kDecodeThreads + 8 * parts + 4 * parts);
  cost.shared_load = used * group * 8 * parts + elements * parts * 8;
  const uint64_t outputs = heads * group * shape.batch * size, page = (uint64_t)1 << shape.page_shift;
  cost.unique = element_bytes * (outputs + 2 * size * keys) + sector_bytes((uint64_t)shape.batch);
  if (splits == 1)
    cost.unique += element_bytes * outputs;
  else
    cost.unique += 4 * elements + decode_log_bytes(shape, lengths, heads * group);
  if (paged)
    cost.unique += ragged_bytes((uint64_t)shape.batch, (uint64_t)shape.capacity / page, 4,
                                [&](uint64_t b) { return ceil_div((uint64_t)lengths[b], page); });
  return cost;
}

inline ClosedForm attention_decode_combine_cost(const DecodeShape &shape, const int *lengths, uint64_t size,
                                                uint64_t heads, uint64_t element_bytes) {
  ClosedForm cost = {};
  uint64_t used = 0;
  for (int b = 0; b < shape.batch; ++b)
    used += heads * ceil_div((uint64_t)lengths[b], (uint64_t)shape.span);
  const uint64_t outputs = heads * shape.batch * size;
  cost.launches = 1;
  cost.threads = outputs;
  cost.add = 2 * used * size;
  cost.special = cost.fma = used * size;
  cost.div = outputs;
  cost.global_load = 4 * outputs + 12 * used * size;
  cost.global_store = element_bytes * outputs;
  cost.unique = 4 * used * size + element_bytes * outputs + sector_bytes((uint64_t)shape.batch) +
                decode_log_bytes(shape, lengths, heads);
  return cost;
}

#endif
