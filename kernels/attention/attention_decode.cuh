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
 * Second kernel, grid (heads, batch), block (Size, decode_combine_rows(splits)): the splits' outputs, weighted by their sums.
 *
 * Every length is 1 or more: with 0, the output is undefined.
 *
 * attention_decode: a key is 16 bytes in each of P = Size·E/16 lanes. A warp takes batches of 8 keys (4 if Group > 4) for each of its
 * 32/P groups of lanes. Products are summed over the lanes of a group so that each lane ends with one key. It computes that key's
 * exponential.
 * attention_decode_tensor: fp16 or bf16, up to 8 query heads a key head. A warp takes 16 keys: products by mma.sync (sm_80), query
 * heads as rows, operands from global memory as they lie. Weights are rounded to elements before they multiply values, as
 * attention_flash's are.
 *
 * Closed form: attention_decode_cost() and attention_decode_combine_cost(). With U = Σ ⌈n·P/(32·J)⌉ batches of J keys of the splits
 * of n keys (over key heads and sequences), G query heads a key head, N = 16/E elements a lane, S used splits of a head:
 *   decode    fma 32·U·G·(2·J·N + 1), add 32·U·G·(J + 1 + log₂(P/J)), mul 32·U·G·N, special 64·U·G; what a split costs once
 *             is in the function;  global load 2·E·Size a key (Paged: 4·P more), 16·G + 4 a thread
 *   tensor    with W = Σ ⌈n/16⌉:  tensor 1024·Size·W, add 256·W, mul 32·W·(4 + Size/4), fma 32·W, special 160·W;  global load
 *             2·E·Size a key (Paged: 4 more), 2·E·Size·G a warp for the query, 4 a thread
 *   combine   an output element: add 2·S + 2·(Y − 1), special S, fma S, div 1;  load 8·S + 4 and the logs of the maximum, store E
 */
#ifndef GPUPROF_KERNELS_ATTENTION_DECODE_CUH
#define GPUPROF_KERNELS_ATTENTION_DECODE_CUH

#include "../tensor_core.cuh"
#include "../transformer/rows.cuh"

struct DecodeShape {
  int batch, key_heads, capacity; /* capacity: keys that a sequence has room for */
  int span;                       /* keys of a split */
  int page_shift;                 /* log2 of a page's keys, if Paged */
  float scale_log2;               /* scale·log2(e) */
};

enum { kDecodeWarps = 4, kDecodeThreads = 32 * kDecodeWarps, kDecodeTensorKeys = 16, kDecodeCombineRows = 8 };

/* Splits for a GPU that holds `resident` blocks at once: one round of them, since long splits are faster. */
inline int decode_splits_for(int batch, int key_heads, int capacity, int resident) {
  const int splits = resident / (batch * key_heads), most = (capacity + 255) / 256;
  return splits < 1 ? 1 : splits < most ? splits : most;
}
/* Threads of attention_decode_combine's block in y: each takes some of the splits. */
inline unsigned decode_combine_rows(int splits) {
  return splits <= 8 ? 1 : splits <= 32 ? 4 : (unsigned)kDecodeCombineRows;
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
      const float low = values[k], high = values[k + Count / 2]; // both loaded: clang up to 21 keeps a chosen address in memory
      const float sent = upper ? low : high, kept = upper ? high : low;
      half[k] = kept + __shfl_xor_sync(0xffffffffu, sent, Lanes / 2);
    }
    return decode_scatter_sum<Lanes / 2, Count / 2>(half);
  }
}

/* What the parts of a block (groups of lanes, or warps) leave of a split, and their weighted sum. */
template <typename Element, int Size, int Group, int Parts> struct DecodeParts {
  float sum[Parts][Group][Size];
  float largest[Group][Parts], total[Group][Parts], weights[Group][Parts];

  /* By the whole block. `head` is the first query head; the sum goes to `output` if there is one split. */
  __device__ __forceinline__ void finish(Element *output, float *partial, float *logs, size_t head,
                                         int split) {
    __syncthreads();
    const bool whole = gridDim.x == 1;
    if (threadIdx.x < Group) {
      const int h = threadIdx.x;
      float of_part[Parts], most = -INFINITY, all = __uint_as_float(row_zero());
#pragma unroll
      for (int p = 0; p < Parts; ++p)
        of_part[p] = largest[h][p], most = fmaxf(most, of_part[p]);
#pragma unroll
      for (int p = 0; p < Parts; ++p) {
        of_part[p] = row_exp2(of_part[p] - most);
        all = fmaf(of_part[p], total[h][p], all);
      }
      const float inverse = 1.0f / all;
#pragma unroll
      for (int p = 0; p < Parts; ++p)
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
      for (int p = 0; p < Parts; ++p)
        o = fmaf(weights[h][p], sum[p][h][i], o);
      if (whole)
        output[(head + h) * Size + i] = snn_element<Element>(o);
      else
        partial[((head + h) * gridDim.x + split) * Size + i] = o;
    }
  }
};

/* Where key j lies: its row in the cache, if Paged by its page's entry of the table. */
template <bool Paged>
__device__ __forceinline__ size_t decode_row(const DecodeShape &shape, int sequence, int key_head, int j,
                                             int entry) {
  if (!Paged)
    return ((size_t)sequence * shape.key_heads + key_head) * shape.capacity + j;
  return (((size_t)entry * shape.key_heads + key_head) << shape.page_shift) +
         (j & ((1 << shape.page_shift) - 1));
}

/* The lower or the upper elements of two words. */
__device__ __forceinline__ unsigned decode_pair(unsigned first, unsigned second, int upper) {
  return upper ? first >> 16 | (second & 0xffff0000u) : (first & 0xffffu) | second << 16;
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
  __shared__ __align__(16) DecodeParts<Element, Size, Group, kParts> parts;
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

  const int *pages = table + (size_t)sequence * (shape.capacity >> shape.page_shift);
  for (int first = begin + warp * kStep; first < end; first += kDecodeWarps * kStep) {
    RowPack<Element> keys[kKeys], values[kKeys];
#pragma unroll
    for (int k = 0; k < kKeys; ++k) {
      const int j = first + k * kGroups + group;
      keys[k].clear(), values[k].clear();
      if (j < end) {
        const size_t row =
            decode_row<Paged>(shape, sequence, key_head, j, Paged ? pages[j >> shape.page_shift] : 0);
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
      parts.largest[h][part] = largest[h], parts.total[h][part] = total[h];
#pragma unroll
    for (int i = 0; i < kLanes; i += 4)
      *(float4 *)&parts.sum[part][h][lane * kLanes + i] =
          make_float4(sum[h][i], sum[h][i + 1], sum[h][i + 2], sum[h][i + 3]);
  }
  parts.finish(output, partial, logs, head, split);
}

#pragma gpuprof region("attention.decode") phase(forward) category(attention)
template <typename Element, int Size, int Group, bool Paged>
__global__ void __launch_bounds__(kDecodeThreads, Paged         ? 1
                                                  : Size == 128 ? 3
                                                                : 4)
    attention_decode_tensor(const Element *__restrict__ query, const Element *__restrict__ key,
                            const Element *__restrict__ value, const int *__restrict__ lengths,
                            const int *__restrict__ table, Element *__restrict__ output,
                            float *__restrict__ partial, float *__restrict__ logs, DecodeShape shape) {
  static_assert(Group <= 8 && sizeof(Element) == 2,
                "query heads are the upper half of 16 rows of 16-bit elements");
  enum {
    kLoads = Size / 32,
    kHalves = Size / 64,
    kColumns = Size / 8,
    kStep = kDecodeWarps * kDecodeTensorKeys
  };
  __shared__ __align__(16) DecodeParts<Element, Size, Group, kDecodeWarps> parts;
  const int split = blockIdx.x, key_head = blockIdx.y, sequence = blockIdx.z;
  const int begin = split * shape.span, end = min(lengths[sequence], begin + shape.span);
  if (begin >= end)
    return;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, of_head = lane / 4, quad = lane % 4;
  const size_t head = ((size_t)sequence * shape.key_heads + key_head) * Group;
  const int *pages = table + (size_t)sequence * (shape.capacity >> shape.page_shift);

  uint4 q[kLoads]; // lane L holds the columns (4·i + quad)·8 of head L/4: so do its keys
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    q[i] = make_uint4(0, 0, 0, 0);
    if (of_head < Group)
      q[i] = *(const uint4 *)(query + (head + of_head) * Size + (4 * i + quad) * 8);
  }
  const float zero = __uint_as_float(row_zero());
  float sum[kColumns][4], largest = -3.0e38f, total = zero;
#pragma unroll
  for (int c = 0; c < kColumns; ++c)
    sum[c][0] = sum[c][1] = sum[c][2] = sum[c][3] = zero;

  int first = begin + warp * kDecodeTensorKeys, entry = 0;
  if (Paged && lane < kDecodeTensorKeys && first + lane < end)
    entry = pages[(first + lane) >> shape.page_shift];
  for (; first < end; first += kStep) {
    uint4 keys[2][kLoads];
    unsigned values[4][kHalves][4];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const int j = first + 8 * k + of_head,
                page = Paged ? __shfl_sync(0xffffffffu, entry, 8 * k + of_head) : 0;
      const Element *row = key + decode_row<Paged>(shape, sequence, key_head, j, page) * Size + quad * 8;
#pragma unroll
      for (int i = 0; i < kLoads; ++i) {
        keys[k][i] = make_uint4(0, 0, 0, 0);
        if (j < end)
          keys[k][i] = *(const uint4 *)(row + 32 * i);
      }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int at = k / 2 * 8 + 2 * quad + k % 2, j = first + at;
      const int page = Paged ? __shfl_sync(0xffffffffu, entry, at) : 0;
      const Element *row = value + decode_row<Paged>(shape, sequence, key_head, j, page) * Size + of_head * 8;
#pragma unroll
      for (int i = 0; i < kHalves; ++i) {
        uint4 four = make_uint4(0, 0, 0, 0);
        if (j < end)
          four = *(const uint4 *)(row + 64 * i);
        values[k][i][0] = four.x, values[k][i][1] = four.y, values[k][i][2] = four.z,
        values[k][i][3] = four.w;
      }
    }
    if (Paged && lane < kDecodeTensorKeys && first + kStep + lane < end) // of the next keys, ahead of them
      entry = pages[(first + kStep + lane) >> shape.page_shift];

    float weight[2][4], now = largest;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      weight[k][0] = weight[k][1] = weight[k][2] = weight[k][3] = zero;
#pragma unroll
      for (int i = 0; i < kLoads; ++i) {
        const unsigned low[4] = {q[i].x, 0, q[i].y, 0}, high[4] = {q[i].z, 0, q[i].w, 0};
        tensor_product<Element>(weight[k], low, keys[k][i].x, keys[k][i].y);
        tensor_product<Element>(weight[k], high, keys[k][i].z, keys[k][i].w);
      }
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        const float score = row_computed(__fmul_rn(weight[k][c], shape.scale_log2));
        weight[k][c] = first + 8 * k + 2 * quad + c < end ? score : -INFINITY;
        now = fmaxf(now, weight[k][c]);
      }
    }
    now = fmaxf(now, __shfl_xor_sync(0xffffffffu, now, 1));
    now = fmaxf(now, __shfl_xor_sync(0xffffffffu, now, 2));
    const float correction = row_exp2(largest - now);
    largest = now;
    unsigned rounded[4] = {0, 0, 0, 0};
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      weight[k][0] = row_exp2(weight[k][0] - now), weight[k][1] = row_exp2(weight[k][1] - now);
      rounded[2 * k] = tensor_pair<Element>(weight[k][0], weight[k][1]);
    }
    total = fmaf(total, correction, weight[0][0] + weight[0][1] + weight[1][0] + weight[1][1]);
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      const int i = c / 8, word = c % 8 / 2, upper = c % 2;
      sum[c][0] = __fmul_rn(sum[c][0], correction), sum[c][1] = __fmul_rn(sum[c][1], correction);
      tensor_product<Element>(sum[c], rounded, decode_pair(values[0][i][word], values[1][i][word], upper),
                              decode_pair(values[2][i][word], values[3][i][word], upper));
    }
  }

  total = total + __shfl_xor_sync(0xffffffffu, total, 1);
  total = row_computed(total + __shfl_xor_sync(0xffffffffu, total, 2));
  if (of_head < Group) {
    if (quad == 0)
      parts.largest[of_head][warp] = largest, parts.total[of_head][warp] = total;
#pragma unroll
    for (int i = 0; i < kColumns; i += 4)
#pragma unroll
      for (int c = 0; c < 2; ++c)
        *(float4 *)&parts.sum[warp][of_head][i / 8 * 64 + (2 * quad + c) * 8 + i % 8] =
            make_float4(sum[i][c], sum[i + 1][c], sum[i + 2][c], sum[i + 3][c]);
  }
  parts.finish(output, partial, logs, head, split);
}

#pragma gpuprof region("attention.decode.combine") phase(forward) category(attention)
template <typename Element, int Size>
__global__ void __launch_bounds__(Size *kDecodeCombineRows)
    attention_decode_combine(const float *__restrict__ partial, const float *__restrict__ logs,
                             const int *__restrict__ lengths, Element *__restrict__ output, DecodeShape shape,
                             int splits) {
  __shared__ float outputs[kDecodeCombineRows][Size], totals[kDecodeCombineRows];
  const size_t head = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
  const int used = (lengths[blockIdx.y] + shape.span - 1) / shape.span;
  const float *of_split = partial + head * splits * Size + threadIdx.x, *log = logs + head * splits;
  float most = -3.0e38f, total = __uint_as_float(row_zero()), o = total;
  for (int s = threadIdx.x % 32; s < used; s += 32)
    most = fmaxf(most, log[s]);
  most = warp_max(most);
  for (int s = threadIdx.y; s < used; s += blockDim.y) {
    const float weight = row_exp2(log[s] - most);
    total = total + weight;
    o = fmaf(weight, of_split[(size_t)s * Size], o);
  }
  if (blockDim.y > 1) {
    outputs[threadIdx.y][threadIdx.x] = o;
    if (threadIdx.x == 0)
      totals[threadIdx.y] = total;
    __syncthreads();
    if (threadIdx.y > 0)
      return;
    for (int y = 1; y < blockDim.y; ++y)
      o = o + outputs[y][threadIdx.x], total = total + totals[y];
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

/* What the splits of all sequences hold: keys (over key heads), batches of `keys` of them, and their number. */
struct DecodeWork {
  uint64_t keys, batches, used;
};
inline DecodeWork decode_work(const DecodeShape &shape, const int *lengths, uint64_t batch_keys) {
  DecodeWork work = {};
  const uint64_t heads = (uint64_t)shape.key_heads;
  for (int b = 0; b < shape.batch; ++b)
    for (int begin = 0; begin < lengths[b]; begin += shape.span) {
      const uint64_t here = (uint64_t)(lengths[b] - begin < shape.span ? lengths[b] - begin : shape.span);
      work.keys += heads * here;
      work.batches += heads * ceil_div(here, batch_keys);
      work.used += heads;
    }
  return work;
}

/* What both kernels have: the end of a split by `parts` parts, the arrays read and written. */
inline ClosedForm decode_split_cost(const DecodeShape &shape, const int *lengths, const DecodeWork &work,
                                    uint64_t size, uint64_t group, uint64_t parts, bool paged,
                                    uint64_t element_bytes) {
  ClosedForm cost = {};
  const uint64_t splits = (uint64_t)decode_splits(shape), heads = (uint64_t)shape.key_heads * group,
                 blocks = splits * shape.key_heads * shape.batch, rows = work.used * group,
                 elements = rows * size, outputs = heads * shape.batch * size;
  cost.launches = 1;
  cost.threads = blocks * kDecodeThreads;
  cost.fma = rows * parts + elements * parts;
  cost.add = rows * (parts + 1);
  cost.mul = rows * parts;
  cost.special = rows * (parts + 1);
  cost.div = rows;
  cost.global_load = 4 * blocks * kDecodeThreads + 2 * element_bytes * size * work.keys;
  cost.global_store = elements * (splits == 1 ? element_bytes : 4) + (splits == 1 ? 0 : 4 * rows);
  cost.shared_store = 4 * elements * parts + rows * 12 * parts;
  cost.shared_load = rows * 8 * parts + elements * parts * 8;
  cost.unique = element_bytes * (outputs + 2 * size * work.keys) + sector_bytes((uint64_t)shape.batch);
  cost.unique +=
      splits == 1 ? element_bytes * outputs : 4 * elements + decode_log_bytes(shape, lengths, heads);
  const uint64_t page = (uint64_t)1 << shape.page_shift;
  if (paged)
    cost.unique += ragged_bytes((uint64_t)shape.batch, (uint64_t)shape.capacity / page, 4,
                                [&](uint64_t b) { return ceil_div((uint64_t)lengths[b], page); });
  return cost;
}

inline ClosedForm attention_decode_cost(const DecodeShape &shape, const int *lengths, uint64_t size,
                                        uint64_t group, bool paged, uint64_t element_bytes) {
  const uint64_t lanes = 16 / element_bytes, key_lanes = size / lanes, groups = 32 / key_lanes,
                 parts = kDecodeWarps * groups, batch_keys = decode_keys((int)group);
  const DecodeWork work = decode_work(shape, lengths, groups * batch_keys);
  ClosedForm cost = decode_split_cost(shape, lengths, work, size, group, parts, paged, element_bytes);
  const uint64_t lane_batches = 32 * work.batches * group, lane_heads = work.used * group * kDecodeThreads;
  cost.fma += lane_batches * (2 * batch_keys * lanes + 1);
  cost.add += lane_batches * (batch_keys - 1 + decode_log2(key_lanes) - decode_log2(batch_keys) + 2) +
              lane_heads * decode_log2(batch_keys);
  cost.mul += lane_batches * lanes + lane_heads * lanes;
  cost.special += lane_batches * 2;
  cost.global_load += 16 * lane_heads + (paged ? 4 * key_lanes * work.keys : 0);
  return cost;
}

inline void add_products(ClosedForm &cost, Fp16, uint64_t operations) { cost.tensor_fp16 += operations; }
inline void add_products(ClosedForm &cost, Bf16, uint64_t operations) { cost.tensor_bf16 += operations; }

template <typename Element>
inline ClosedForm attention_decode_tensor_cost(const DecodeShape &shape, const int *lengths, uint64_t size,
                                               uint64_t group, bool paged) {
  const DecodeWork work = decode_work(shape, lengths, kDecodeTensorKeys);
  ClosedForm cost = decode_split_cost(shape, lengths, work, size, group, kDecodeWarps, paged, 2);
  add_products(cost, Element(), 1024 * size * work.batches);
  cost.fma += 32 * work.batches;
  cost.add += 32 * work.batches * 8 + 2 * work.used * kDecodeThreads;
  cost.mul += 32 * work.batches * (4 + size / 4);
  cost.special += 32 * work.batches * 5;
  cost.global_load += 2 * size * group * work.used * kDecodeWarps + (paged ? 4 * work.keys : 0);
  return cost;
}

/* For a block of (size, rows) threads. */
inline ClosedForm attention_decode_combine_cost(const DecodeShape &shape, const int *lengths, uint64_t size,
                                                uint64_t heads, uint64_t rows, uint64_t element_bytes) {
  ClosedForm cost = {};
  uint64_t used = 0;
  for (int b = 0; b < shape.batch; ++b)
    used += heads * ceil_div((uint64_t)lengths[b], (uint64_t)shape.span);
  const uint64_t outputs = heads * shape.batch * size, of_rows = outputs * (rows - 1);
  cost.launches = 1;
  cost.threads = outputs * rows;
  cost.add = 2 * used * size + 2 * of_rows;
  cost.special = cost.fma = used * size;
  cost.div = outputs;
  cost.global_load = 4 * outputs * rows + 8 * used * size + 4 * used * (size / 32) * rows;
  cost.global_store = element_bytes * outputs;
  cost.shared_store = rows > 1 ? 4 * outputs * rows + 4 * heads * shape.batch * rows : 0;
  cost.shared_load = 8 * of_rows;
  cost.unique = 4 * used * size + element_bytes * outputs + sector_bytes((uint64_t)shape.batch) +
                decode_log_bytes(shape, lengths, heads);
  return cost;
}

#endif
