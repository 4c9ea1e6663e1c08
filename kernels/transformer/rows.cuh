/* What the kernels of transformer blocks share: rows that live in the registers of a team of threads, sums over
 * a team, and loops over the elements of flat arrays.
 *
 * Matrices are [rows][stride] elements, of which the first `columns` of each row are used. Elements are float,
 * Fp16 or Bf16, bit for bit NVIDIA's; arithmetic is fp32 for all of them.
 *
 * A team is blockDim.x threads, a multiple of 32. It takes rows a grid apart; a block holds blockDim.y teams, more
 * than one only of 32 threads each. Every grid is right. A thread keeps `Packs` packs of 16 bytes of a row: 4 floats
 * or 8 halves each.
 *   RowAligned     rows begin at multiples of 16 bytes: 128-bit accesses; the last elements of a row one by one, in a
 *                  loop that is not unrolled: it would cost registers in all rows
 *   RowUnaligned   rows begin anywhere: elements a team's width apart, so that the lanes of a warp are neighbours
 * Lanes behind the last column hold zeros and are computed like the others: a row costs kLanes operations a thread,
 * whatever its columns. The zeros come from an instruction that the compiler cannot fold.
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_ROWS_CUH
#define GPUPROF_KERNELS_TRANSFORMER_ROWS_CUH

#include "../snn/neurons.cuh"
#include "../tensor_core.cuh"

#include <math.h>

enum RowLayout { RowAligned, RowUnaligned };
enum { kRowThreads = 512 }; /* the largest team of kernels that keep rows in registers */

__device__ __forceinline__ unsigned row_zero() {
  unsigned zero;
  asm("mov.u32 %0, 0;" : "=r"(zero));
  return zero;
}

/* Computed here by every thread, also where only a branch of some needs it: nothing is moved past volatile code. */
__device__ __forceinline__ float row_computed(float value) {
  float same;
  asm volatile("mov.b32 %0, %1;" : "=f"(same) : "f"(value));
  return same;
}

/* Words that stay packed in registers: what is computed from them is neither taken out of a loop nor kept. */
__device__ __forceinline__ unsigned row_packed(unsigned word) {
  unsigned same;
  asm volatile("mov.b32 %0, %1;" : "=r"(same) : "r"(word));
  return same;
}

__device__ __forceinline__ void row_store_last(void *to, uint4 words) {
  asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(words.x), "r"(words.y),
               "r"(words.z), "r"(words.w)
               : "memory");
}

/* ---- Packs of 16 bytes whose elements may be set one by one ---- */

template <typename Element> struct RowPack : SnnPack<Element> {
  using SnnPack<Element>::words;
  __device__ __forceinline__ void clear() {
    const unsigned zero = row_zero();
    words = make_uint4(zero, zero, zero, zero);
  }
  __device__ __forceinline__ RowPack packed() const {
    RowPack same;
    same.words =
        make_uint4(row_packed(words.x), row_packed(words.y), row_packed(words.z), row_packed(words.w));
    return same;
  }
  __device__ __forceinline__ void set(int lane, Element element) {
    const unsigned bits = (unsigned)element.bits << (lane % 2 * 16);
    if (lane / 2 == 0)
      words.x |= bits;
    else if (lane / 2 == 1)
      words.y |= bits;
    else if (lane / 2 == 2)
      words.z |= bits;
    else
      words.w |= bits;
  }
  __device__ __forceinline__ Element get(int lane) const {
    const unsigned word = lane / 2 == 0   ? words.x
                          : lane / 2 == 1 ? words.y
                          : lane / 2 == 2 ? words.z
                                          : words.w;
    return Element{(unsigned short)(word >> (lane % 2 * 16))};
  }
  __device__ __forceinline__ void write(const float *values) {
    typedef SnnPack<Element> Pack;
    words = make_uint4(Pack::pack(values), Pack::pack(values + 2), Pack::pack(values + 4),
                       Pack::pack(values + 6));
  }
  __device__ __forceinline__ void store_whole(Element *to) const { *(uint4 *)to = words; }
  /* Of what is not read again, so that it leaves the second level of cache first. */
  __device__ __forceinline__ void load_last(const Element *from) { words = __ldcs((const uint4 *)from); }
  __device__ __forceinline__ void store_last(Element *to) const { row_store_last(to, words); }
};

template <> struct RowPack<float> : SnnPack<float> {
  __device__ __forceinline__ void clear() {
    const float zero = __uint_as_float(row_zero());
    four = make_float4(zero, zero, zero, zero);
  }
  __device__ __forceinline__ RowPack packed() const {
    RowPack same;
    same.four =
        make_float4(row_computed(four.x), row_computed(four.y), row_computed(four.z), row_computed(four.w));
    return same;
  }
  __device__ __forceinline__ void set(int lane, float element) {
    if (lane == 0)
      four.x = element;
    else if (lane == 1)
      four.y = element;
    else if (lane == 2)
      four.z = element;
    else
      four.w = element;
  }
  __device__ __forceinline__ float get(int lane) const {
    return lane == 0 ? four.x : lane == 1 ? four.y : lane == 2 ? four.z : four.w;
  }
  __device__ __forceinline__ void write(const float *values) {
    four = make_float4(values[0], values[1], values[2], values[3]);
  }
  __device__ __forceinline__ void store_whole(float *to) const { *(float4 *)to = four; }
  __device__ __forceinline__ void load_last(const float *from) { four = __ldcs((const float4 *)from); }
  __device__ __forceinline__ void store_last(float *to) const {
    row_store_last(to, make_uint4(__float_as_uint(four.x), __float_as_uint(four.y), __float_as_uint(four.z),
                                  __float_as_uint(four.w)));
  }
};

/* ---- A thread's part of a row ---- */

template <typename Element, int Packs, RowLayout Layout> struct RowPart;

template <typename Element, int Packs> struct RowPart<Element, Packs, RowAligned> {
  enum { kPackLanes = SnnPack<Element>::kLanes, kLanes = Packs * kPackLanes };
  RowPack<Element> pack[Packs];

  __device__ __forceinline__ static unsigned column(int lane) {
    return (lane / kPackLanes * blockDim.x + threadIdx.x) * kPackLanes + lane % kPackLanes;
  }
  __device__ __forceinline__ void load(const Element *row, unsigned columns) {
#pragma unroll
    for (int p = 0; p < Packs; ++p) {
      const unsigned first = column(p * kPackLanes);
      pack[p].clear();
      if (first + kPackLanes <= columns) {
        pack[p].load(row + first);
      } else {
#pragma unroll 1
        for (int k = 0; first + k < columns; ++k)
          pack[p].set(k, row[first + k]);
      }
    }
  }
  __device__ __forceinline__ void read(float (&values)[kLanes]) const {
#pragma unroll
    for (int p = 0; p < Packs; ++p) {
      float own[kPackLanes];
      pack[p].read(own);
#pragma unroll
      for (int k = 0; k < kPackLanes; ++k)
        values[p * kPackLanes + k] = own[k];
    }
  }
  /* Of a part that is read more than once. */
  __device__ __forceinline__ void read_packed(float (&values)[kLanes]) const {
    RowPart part;
#pragma unroll
    for (int p = 0; p < Packs; ++p)
      part.pack[p] = pack[p].packed();
    part.read(values);
  }
  __device__ __forceinline__ static void store(Element *row, unsigned columns,
                                               const float (&values)[kLanes]) {
#pragma unroll
    for (int p = 0; p < Packs; ++p) {
      const unsigned first = column(p * kPackLanes);
      RowPack<Element> own;
      own.write(values + p * kPackLanes);
      if (first + kPackLanes <= columns) {
        own.store_whole(row + first);
      } else {
#pragma unroll 1
        for (int k = 0; first + k < columns; ++k)
          row[first + k] = own.get(k);
      }
    }
  }
  /* Floats to a row that begins anywhere. Addresses are made here, not kept from before a loop. */
  __device__ __forceinline__ static void store_floats(float *row, unsigned columns,
                                                      const float (&values)[kLanes]) {
    const unsigned thread = row_packed(threadIdx.x);
#pragma unroll
    for (int p = 0; p < Packs; ++p) {
      const unsigned first = (p * blockDim.x + thread) * kPackLanes;
      float *to = row + first;
#pragma unroll
      for (int k = 0; k < kPackLanes; ++k)
        if (first + k < columns)
          to[k] = values[p * kPackLanes + k];
    }
  }
};

template <typename Element, int Packs> struct RowPart<Element, Packs, RowUnaligned> {
  enum { kPackLanes = SnnPack<Element>::kLanes, kLanes = Packs * kPackLanes };
  RowPack<Element> pack[Packs];

  __device__ __forceinline__ static unsigned column(int lane) { return lane * blockDim.x + threadIdx.x; }
  __device__ __forceinline__ void load(const Element *row, unsigned columns) {
#pragma unroll
    for (int p = 0; p < Packs; ++p) {
      pack[p].clear();
#pragma unroll
      for (int k = 0; k < kPackLanes; ++k)
        if (column(p * kPackLanes + k) < columns)
          pack[p].set(k, row[column(p * kPackLanes + k)]);
    }
  }
  __device__ __forceinline__ void read(float (&values)[kLanes]) const {
    ((const RowPart<Element, Packs, RowAligned> *)this)->read(values);
  }
  __device__ __forceinline__ void read_packed(float (&values)[kLanes]) const {
    ((const RowPart<Element, Packs, RowAligned> *)this)->read_packed(values);
  }
  __device__ __forceinline__ static void store(Element *row, unsigned columns,
                                               const float (&values)[kLanes]) {
#pragma unroll
    for (int k = 0; k < kLanes; ++k) {
      const float value = row_computed(values[k]);
      if (column(k) < columns)
        row[column(k)] = snn_element<Element>(value);
    }
  }
  __device__ __forceinline__ static void store_floats(float *row, unsigned columns,
                                                      const float (&values)[kLanes]) {
    unsigned at = row_packed(threadIdx.x);
#pragma unroll
    for (int k = 0; k < kLanes; ++k) {
      if (at < columns)
        row[at] = values[k];
      at += blockDim.x;
    }
  }
};

/* ---- Rows of any length, unit by unit ---- */

/* The lanes of unit `unit` of a row: a pack of neighbours, or one element. Lanes behind `limit` are -inf. */
template <typename Element, RowLayout Layout> struct RowUnit {
  enum { kLanes = Layout == RowAligned ? (int)SnnPack<Element>::kLanes : 1 };
  typedef RowPack<Element> Pack;

  __device__ __forceinline__ static unsigned units(unsigned columns) {
    return (columns + kLanes - 1) / kLanes;
  }
  /* Last: see load_last() and store_last(), of whole packs. */
  template <bool Last = false>
  __device__ __forceinline__ static Pack load(const Element *row, unsigned unit, unsigned limit) {
    Pack pack;
    const unsigned first = unit * kLanes;
    if (Layout == RowAligned && first + kLanes <= limit) {
      if (Last)
        pack.load_last(row + first);
      else
        pack.load(row + first);
    } else {
      pack.clear();
#pragma unroll 1
      for (int k = 0; k < kLanes && first + k < limit; ++k)
        pack.set(k, row[first + k]);
    }
    return pack;
  }
  __device__ __forceinline__ static void read(const Pack &pack, unsigned unit, unsigned limit,
                                              float (&values)[kLanes]) {
    float all[SnnPack<Element>::kLanes];
    pack.read(all);
#pragma unroll
    for (int k = 0; k < kLanes; ++k)
      values[k] = all[k];
    if (kLanes > 1 && (unit + 1) * kLanes > limit)
#pragma unroll
      for (int k = 0; k < kLanes; ++k)
        values[k] = unit * kLanes + k < limit ? values[k] : -INFINITY;
  }
  template <bool Last = false>
  __device__ __forceinline__ static void store(Element *row, unsigned unit, unsigned columns,
                                               const float (&values)[kLanes]) {
    const unsigned first = unit * kLanes;
    if constexpr (Layout == RowUnaligned) {
      row[first] = snn_element<Element>(values[0]);
    } else {
      RowPack<Element> pack;
      pack.write(values);
      if (first + kLanes <= columns) {
        if (Last)
          pack.store_last(row + first);
        else
          pack.store_whole(row + first);
        return;
      }
#pragma unroll 1
      for (int k = 0; first + k < columns; ++k)
        row[first + k] = pack.get(k);
    }
  }
};

/* ---- Rows on their way into shared memory (sm_80); a thread's copies arrive in groups, in order ---- */

/* Unit `unit` of a row that is aligned. */
template <typename Element>
__device__ __forceinline__ void row_stage_pack(const Element *row, unsigned unit, unsigned columns,
                                               RowPack<Element> *to) {
  typedef RowUnit<Element, RowAligned> Unit;
  if ((unit + 1) * Unit::kLanes <= columns)
    copy_async(shared_address(to), row + unit * Unit::kLanes);
  else
    *to = Unit::load(row, unit, columns);
}
/* Waits for all copies of the thread, also those of no group. */
__device__ __forceinline__ void row_stage_wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }
__device__ __forceinline__ void row_stage_float(const float *from, float *to) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(to)), "l"(from) : "memory");
}

/* ---- Sums and maxima over a team: each of its threads has the result ---- */

/* The results of a team's warps pass through one of two halves in turn, so that one barrier is enough. They are read 16
 * bytes at a time: entries of warps that the team does not have, up to a multiple of 4, are written too. */
template <int Warps> struct TeamShared {
  typedef float Half[2][Warps];
  Half *half;
  unsigned turn;

  __device__ __forceinline__ void write(int which, float value, float fill) {
    const unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32;
#pragma unroll 1
    for (unsigned i = warp; i < (warps + 3) / 4 * 4; i += warps)
      half[turn][which][i] = i == warp ? value : fill;
  }
  template <bool Largest> __device__ __forceinline__ float get(int which) const {
    float total = 0.0f;
#pragma unroll
    for (int i = 0; i < Warps; i += 4) {
      if (i >= blockDim.x / 32)
        break;
      const float4 four = *(const float4 *)&half[turn][which][i];
      if (Largest) {
        const float largest = fmaxf(fmaxf(four.x, four.y), fmaxf(four.z, four.w));
        total = i == 0 ? largest : fmaxf(total, largest);
      } else {
        total = i == 0 ? four.x : total + four.x;
        total = total + four.y + four.z + four.w;
      }
    }
    return total;
  }
};
enum { kRowWarps = kRowThreads / 32 };
typedef TeamShared<kRowWarps> RowShared;

__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    value = value + __shfl_xor_sync(0xffffffffu, value, offset);
  return row_computed(value);
}
__device__ __forceinline__ float warp_max(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

template <bool Largest, int Warps>
__device__ __forceinline__ float team_reduce(float value, TeamShared<Warps> &shared) {
  value = Largest ? warp_max(value) : warp_sum(value);
  if (blockDim.x == 32)
    return value;
  shared.turn ^= 1;
  if (threadIdx.x % 32 == 0)
    shared.write(0, value, Largest ? value : 0.0f);
  __syncthreads();
  return shared.template get<Largest>(0);
}
template <int Warps> __device__ __forceinline__ float team_sum(float value, TeamShared<Warps> &shared) {
  return team_reduce<false>(value, shared);
}
template <int Warps> __device__ __forceinline__ float team_max(float value, TeamShared<Warps> &shared) {
  return team_reduce<true>(value, shared);
}
/* Two sums behind one barrier: each half of a warp takes one of them. */
template <int Warps>
__device__ __forceinline__ void team_sums(float &first, float &second, TeamShared<Warps> &shared) {
  const bool upper = threadIdx.x & 16;
  const float sent = upper ? first : second, kept = upper ? second : first;
  float sum = kept + __shfl_xor_sync(0xffffffffu, sent, 16);
#pragma unroll
  for (int offset = 8; offset > 0; offset /= 2)
    sum = sum + __shfl_xor_sync(0xffffffffu, sum, offset);
  sum = row_computed(sum);
  if (blockDim.x == 32) {
    first = __shfl_sync(0xffffffffu, sum, 0), second = __shfl_sync(0xffffffffu, sum, 16);
    return;
  }
  shared.turn ^= 1;
  if (threadIdx.x % 16 == 0)
    shared.write(upper, sum, 0.0f);
  __syncthreads();
  first = shared.template get<false>(0);
  second = shared.template get<false>(1);
}

/* 2 to the power of x: one special function. */
__device__ __forceinline__ float row_exp2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ float row_log2(float x) {
  float y;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/* ---- Flat arrays: `body` for each pack of 16 bytes, then for the elements left over; any grid ---- */

/* A body is compiled for packs and for single elements, as SnnNeighbours and SnnApart give them. */
template <typename Element, typename Body>
__device__ __forceinline__ void for_elements(size_t count, Body body) {
  enum { kLanes = SnnPack<Element>::kLanes };
  const size_t packs = count / kLanes, units = packs + count % kLanes;
  const size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t unit = (size_t)blockIdx.x * blockDim.x + threadIdx.x; unit < units; unit += step) {
    if (unit < packs) [[clang::always_inline]]
      body(SnnNeighbours<Element>{unit * kLanes});
    else [[clang::always_inline]]
      body(SnnApart<Element, 1>{packs * kLanes + (unit - packs)});
  }
}

/* ---- Host: layouts, teams, costs that all kernels of rows have ---- */

inline RowLayout row_layout(size_t stride, size_t element_bytes) {
  return stride * element_bytes % 16 == 0 ? RowAligned : RowUnaligned;
}

/* How a kernel that keeps rows in registers is launched: grid (blocks), block (threads, teams). */
struct RowTeams {
  unsigned threads, teams;
  unsigned packs; /* 1, 2, 3, 4 or 8: the template argument; 0: the row is too long */
  unsigned blocks;
};

/* A team of few threads that keep up to `most_packs` packs each waits little for its sums: 4 is fastest for kernels that
 * have been compiled for 1 to 4 packs. Rows of more than 2·kRowThreads packs have 4 or 8 in any case. At most
 * `blocks` blocks: those that a GPU holds at once. */
inline RowTeams row_teams(uint64_t rows, uint64_t columns, uint64_t element_bytes, uint64_t blocks,
                          unsigned most_packs = 2) {
  const uint64_t row_packs = ceil_div(columns, 16 / element_bytes);
  RowTeams t = {};
  t.packs = row_packs <= 32 * most_packs ? (unsigned)ceil_div(row_packs, 32) : 2;
  while (t.packs <= 8 && t.packs * kRowThreads < row_packs)
    t.packs *= 2;
  if (t.packs > 8) {
    t.packs = 0;
    return t;
  }
  t.threads = (unsigned)(ceil_div(ceil_div(row_packs, t.packs), 32) * 32);
  t.teams = t.threads == 32 ? 8 : 1;
  const uint64_t most = ceil_div(rows, t.teams);
  t.blocks = (unsigned)(most < blocks ? most : blocks);
  return t;
}

inline uint64_t row_lanes(const RowTeams &t, uint64_t element_bytes) {
  return (uint64_t)t.threads * t.packs * (16 / element_bytes);
}
/* Adds `sums` sums, `maxima` maxima and `pairs` pairs of sums of a team for each of `rows` rows. */
inline void add_team_reductions(ClosedForm &cost, const RowTeams &t, uint64_t rows, uint64_t sums,
                                uint64_t maxima, uint64_t pairs = 0) {
  const bool shared = t.threads > 32;
  const uint64_t warps = ceil_div(t.threads / 32, 4) * 4, results = sums + maxima + 2 * pairs;
  cost.add += rows * t.threads * (5 * (sums + pairs) + (shared ? (warps - 1) * (sums + 2 * pairs) : 0));
  cost.shared_store += shared ? 4 * rows * results * warps : 0;
  cost.shared_load += shared ? 4 * rows * results * t.threads * warps : 0;
}
inline uint64_t sector_bytes_of(uint64_t elements, uint64_t element_bytes) {
  return ceil_div(elements * element_bytes, 32) * 32;
}
inline uint64_t matrix_bytes(uint64_t rows, uint64_t columns, uint64_t stride, uint64_t element_bytes) {
  return row_sector_bytes(columns, stride, rows, element_bytes);
}

/* Bytes of the sectors of the first `limit(row)` elements of rows of one array. */
template <typename Limit>
inline uint64_t ragged_bytes(uint64_t rows, uint64_t stride, uint64_t element_bytes, Limit limit) {
  uint64_t sectors = 0, next = 0;
  for (uint64_t row = 0; row < rows; ++row) {
    const uint64_t begin = row * stride * element_bytes, bytes = limit(row) * element_bytes;
    if (bytes == 0)
      continue;
    const uint64_t first = begin / 32 > next ? begin / 32 : next, end = (begin + bytes - 1) / 32 + 1;
    sectors += end > first ? end - first : 0;
    next = end > next ? end : next;
  }
  return 32 * sectors;
}

#endif
