/* Softmax over the columns of a row, with scale and causal mask, forward and backward.
 *
 *   forward    y_c = exp(scale·(x_c − max))/Σ exp(scale·(x − max)), over the columns that the row sees
 *   causal     row r is query q = r mod queries of its matrix, and sees columns c ≤ q + columns − queries; behind
 *              them y and dx are 0, and nothing but the rest of a pack is read there
 *   backward   dx = scale·y·(dy − Σ dy·y)
 *
 * Shapes: x, y, dy, dx [rows][stride], rows = matrices·queries; columns ≥ queries if causal; scale > 0.
 *
 * Rows of up to 16 KiB times 2 stay in registers and are read once (`softmax_forward`, `softmax_backward`). For causal rows
 * of whole packs, `softmax_causal_forward` and `softmax_causal_backward` compute only what is seen. Longer
 * ones are read in two sweeps by a block of any multiple of 32 threads. The first keeps a running maximum and a sum
 * that is corrected when the maximum rises (Milakov and Gimelshein 2018). The second writes. Between them the row lies
 * in shared memory (Staged), or comes once more from the second level of cache (`softmax_forward_long`).
 *
 * Closed form: R rows of C columns, S = Σ read columns, T threads a team, L = T·Packs·(16/E) lanes, E bytes an
 * element, N = 16/E lanes a pack (1 if unaligned), U = Σ ⌈seen/N⌉ packs; sums and maxima over a team as in rows.cuh:
 *   forward        add R·L, mul R·(L + T), fma R·L, special R·L, div R·T, one maximum, one sum
 *                  global load E·S, store E·R·C
 *   backward       add R·L, mul R·2L, fma R·L, one sum;   global load 2·E·S, store E·R·C
 *   causal kernels as these, with the lanes of the packs that a row's team sees, Σ ⌈seen/(T·N)⌉·T·N, in place of R·L;
 *                  shared load and store 16·U, backward 32·U
 *   forward, long  first sweep: mul U, fma U·(N + 2), special U·(N + 1), add U·(N − 1)
 *                  between:     mul R·2T, fma R·T, special R·T, div R·T, one maximum, one sum
 *                  second:      fma U·N, special U·N, mul U·N
 *                  global load E·S (not staged: 2·E·S), store E·R·C;   staged: shared load 32·U, store 16·U
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_SOFTMAX_CUH
#define GPUPROF_KERNELS_TRANSFORMER_SOFTMAX_CUH

#include "rows.cuh"

#include <math.h>

struct SoftmaxShape {
  size_t rows, stride;
  unsigned columns, queries; /* queries 0: not causal */
  float scale, scale_log2;   /* scale·log₂(e) */

  __host__ __device__ unsigned seen(size_t row) const {
    return queries ? (unsigned)(row % queries) + columns - queries + 1 : columns;
  }
  /* The columns that are read: packs of `lanes` are read whole, since single elements would come one after another. */
  __host__ __device__ unsigned read(size_t row, unsigned lanes) const {
    const unsigned whole = (seen(row) + lanes - 1) / lanes * lanes;
    return whole < columns ? whole : columns;
  }
};

inline SoftmaxShape softmax_shape(size_t rows, size_t columns, size_t stride, float scale, size_t queries) {
  const SoftmaxShape shape = {
      rows, stride, (unsigned)columns, (unsigned)queries, scale, (float)(scale * 1.4426950408889634)};
  return shape;
}

#pragma gpuprof region("softmax.forward") phase(forward) category(softmax)
template <RowLayout Layout, int Packs, typename Element>
__global__ void __launch_bounds__(kRowThreads)
    softmax_forward(const Element *__restrict__ x, Element *__restrict__ y, SoftmaxShape shape) {
  typedef RowPart<Element, Packs, Layout> Part;
  enum { kUnit = Layout == RowAligned ? (int)Part::kPackLanes : 1 };
  __shared__ __align__(16) RowShared::Half of_warps[2];
  RowShared shared = {of_warps, 0};
  const size_t step = (size_t)gridDim.x * blockDim.y;
  size_t row = (size_t)blockIdx.x * blockDim.y + threadIdx.y;
  Part next;
  if (row < shape.rows)
    next.load(x + row * shape.stride, shape.read(row, kUnit));
  for (; row < shape.rows; row += step) {
    const unsigned seen = shape.seen(row);
    float values[Part::kLanes];
    next.read(values);
    if (row + step < shape.rows) // in flight while this row is summed
      next.load(x + (row + step) * shape.stride, shape.read(row + step, kUnit));
    float largest = -INFINITY, sum = __uint_as_float(row_zero());
#pragma unroll
    for (int k = 0; k < Part::kLanes; ++k) {
      values[k] = Part::column(k) < seen ? values[k] : -INFINITY;
      largest = fmaxf(largest, values[k]);
    }
    const float offset = __fmul_rn(team_max(largest, shared), shape.scale_log2);
#pragma unroll
    for (int k = 0; k < Part::kLanes; ++k) {
      values[k] = row_exp2(fmaf(values[k], shape.scale_log2, -offset));
      sum = sum + values[k];
    }
    const float inverse = 1.0f / team_sum(sum, shared);
#pragma unroll
    for (int k = 0; k < Part::kLanes; ++k)
      values[k] = values[k] * inverse;
    Part::store(y + row * shape.stride, shape.columns, values);
  }
}

/* `dx` may be `dy`. `dy` is finite, also behind what a causal row sees. */
#pragma gpuprof region("softmax.backward") phase(backward) category(softmax)
template <RowLayout Layout, int Packs, typename Element>
__global__ void __launch_bounds__(kRowThreads)
    softmax_backward(const Element *dy, const Element *__restrict__ y, Element *dx, SoftmaxShape shape) {
  typedef RowPart<Element, Packs, Layout> Part;
  enum { kUnit = Layout == RowAligned ? (int)Part::kPackLanes : 1 };
  __shared__ __align__(16) RowShared::Half of_warps[2];
  RowShared shared = {of_warps, 0};
  const size_t step = (size_t)gridDim.x * blockDim.y;
  size_t row = (size_t)blockIdx.x * blockDim.y + threadIdx.y;
  Part next_dy, next_y;
  if (row < shape.rows) {
    next_dy.load(dy + row * shape.stride, shape.read(row, kUnit));
    next_y.load(y + row * shape.stride, shape.read(row, kUnit));
  }
  for (; row < shape.rows; row += step) {
    float gradient[Part::kLanes], value[Part::kLanes], sum = __uint_as_float(row_zero());
    next_dy.read(gradient);
    next_y.read(value);
    if (row + step < shape.rows) {
      next_dy.load(dy + (row + step) * shape.stride, shape.read(row + step, kUnit));
      next_y.load(y + (row + step) * shape.stride, shape.read(row + step, kUnit));
    }
#pragma unroll
    for (int k = 0; k < Part::kLanes; ++k)
      sum = fmaf(gradient[k], value[k], sum);
    sum = team_sum(sum, shared);
#pragma unroll
    for (int k = 0; k < Part::kLanes; ++k)
      gradient[k] = (gradient[k] - sum) * value[k] * shape.scale;
    Part::store(dx + row * shape.stride, shape.columns, gradient);
  }
}

/* ---- Causal rows in the registers of small teams: lanes behind the last column seen cost nothing ---- */

enum { kCausalThreads = 256 }; /* of a block */

/* `Stages` rows of `Matrices` matrices of a team on their way to shared memory by asynchronous copies, as far as the rows
 * see: a thread reads the packs that it copied, so there is no barrier. */
template <typename Element, int Packs, int Matrices, int Stages> struct CausalRows {
  enum { kPack = SnnPack<Element>::kLanes };
  RowPack<Element> *own; /* [stage][matrix][pack][thread] */
  unsigned slot;

  __device__ __forceinline__ static unsigned column(int p) { return (p * blockDim.x + threadIdx.x) * kPack; }
  __device__ __forceinline__ static unsigned threads() { return blockDim.x * blockDim.y; }
  __device__ __forceinline__ void begin(void *shared) {
    own = (RowPack<Element> *)shared + threadIdx.y * blockDim.x + threadIdx.x;
    slot = 0;
  }
  /* Of pack p of a matrix in this turn's stage. */
  __device__ __forceinline__ RowPack<Element> *pack(int matrix, int p) const {
    return own + ((slot * Matrices + matrix) * Packs + p) * threads();
  }
  __device__ __forceinline__ void copy(int matrix, const Element *row, unsigned seen) const {
#pragma unroll
    for (int p = 0; p < Packs; ++p)
      if (column(p) < seen)
        copy_async(shared_address(pack(matrix, p)), row + column(p));
  }
  /* Zeros behind what the row sees, and in packs that no thread of the team sees (those are not computed). */
  __device__ __forceinline__ RowPack<Element> read(int matrix, int p, unsigned seen) const {
    RowPack<Element> own_pack;
    own_pack.clear();
    if (column(p) < seen)
      own_pack = *pack(matrix, p);
    return own_pack;
  }
  __device__ __forceinline__ static bool any(int p, unsigned seen) { return p * blockDim.x * kPack < seen; }
  __device__ __forceinline__ void advance() {
    copy_commit();
    slot = slot + 1 == Stages ? 0 : slot + 1;
  }
};

/* Columns·E is a multiple of 16. Dynamic shared memory: softmax_causal_shared() bytes. */
#pragma gpuprof region("softmax.forward") phase(forward) category(softmax)
template <int Packs, typename Element, int Stages = 2>
__global__ void __launch_bounds__(kCausalThreads, 2)
    softmax_causal_forward(const Element *__restrict__ x, Element *__restrict__ y, SoftmaxShape shape) {
  typedef CausalRows<Element, Packs, 1, Stages> Rows;
  enum { kPack = Rows::kPack };
  __shared__ __align__(16) RowShared::Half of_warps[2];
  RowShared shared = {of_warps, 0};
  extern __shared__ uint4 row_units[];
  Rows rows;
  rows.begin(row_units);
  const size_t step = (size_t)gridDim.x * blockDim.y;
  size_t row = (size_t)blockIdx.x * blockDim.y + threadIdx.y;
  const auto stage = [&](size_t next) {
    if (next < shape.rows)
      rows.copy(0, x + next * shape.stride, shape.seen(next));
    rows.advance();
  };
#pragma unroll
  for (int s = 0; s < Stages; ++s)
    stage(row + s * step);
  for (; row < shape.rows; row += step) {
    const unsigned seen = shape.seen(row);
    float values[Packs][kPack], largest = -INFINITY, sum = __uint_as_float(row_zero());
    copy_wait<Stages - 1>();
#pragma unroll
    for (int p = 0; p < Packs; ++p)
      if (Rows::any(p, seen)) {
        rows.read(0, p, seen).read(values[p]);
        if (!Rows::any(p + 1, seen))
#pragma unroll
          for (int k = 0; k < kPack; ++k)
            values[p][k] = Rows::column(p) + k < seen ? values[p][k] : -INFINITY;
#pragma unroll
        for (int k = 0; k < kPack; ++k)
          largest = fmaxf(largest, values[p][k]);
      }
    stage(row + Stages * step);
    const float offset = __fmul_rn(team_max(largest, shared), shape.scale_log2);
#pragma unroll
    for (int p = 0; p < Packs; ++p)
      if (Rows::any(p, seen))
#pragma unroll
        for (int k = 0; k < kPack; ++k) {
          values[p][k] = row_exp2(fmaf(values[p][k], shape.scale_log2, -offset));
          sum = sum + values[p][k];
        }
    const float inverse = 1.0f / team_sum(sum, shared);
#pragma unroll
    for (int p = 0; p < Packs; ++p) {
      RowPack<Element> out;
      out.clear();
      if (Rows::any(p, seen)) {
#pragma unroll
        for (int k = 0; k < kPack; ++k)
          values[p][k] = row_computed(__fmul_rn(values[p][k], inverse));
        out.write(values[p]);
      }
      if (Rows::column(p) < shape.columns)
        out.store_whole(y + row * shape.stride + Rows::column(p));
    }
  }
  copy_wait<0>();
}

/* The same for gradients; `dx` may be `dy`. */
#pragma gpuprof region("softmax.backward") phase(backward) category(softmax)
template <int Packs, typename Element, int Stages = 1>
__global__ void __launch_bounds__(kCausalThreads, 2)
    softmax_causal_backward(const Element *dy, const Element *__restrict__ y, Element *dx,
                            SoftmaxShape shape) {
  typedef CausalRows<Element, Packs, 2, Stages> Rows;
  enum { kPack = Rows::kPack };
  __shared__ __align__(16) RowShared::Half of_warps[2];
  RowShared shared = {of_warps, 0};
  extern __shared__ uint4 row_units[];
  Rows rows;
  rows.begin(row_units);
  const size_t step = (size_t)gridDim.x * blockDim.y;
  size_t row = (size_t)blockIdx.x * blockDim.y + threadIdx.y;
  const auto stage = [&](size_t next) {
    if (next < shape.rows) {
      rows.copy(0, dy + next * shape.stride, shape.seen(next));
      rows.copy(1, y + next * shape.stride, shape.seen(next));
    }
    rows.advance();
  };
#pragma unroll
  for (int s = 0; s < Stages; ++s)
    stage(row + s * step);
  for (; row < shape.rows; row += step) {
    const unsigned seen = shape.seen(row);
    RowPack<Element> gradients[Packs], results[Packs];
    float sum = __uint_as_float(row_zero());
    copy_wait<Stages - 1>();
#pragma unroll
    for (int p = 0; p < Packs; ++p)
      if (Rows::any(p, seen)) {
        gradients[p] = rows.read(0, p, seen), results[p] = rows.read(1, p, seen);
        float g[kPack], value[kPack];
        gradients[p].packed().read(g), results[p].packed().read(value);
        if (!Rows::any(p + 1, seen))
#pragma unroll
          for (int k = 0; k < kPack; ++k) { // dy too: what is not seen may be infinite or NaN
            g[k] = Rows::column(p) + k < seen ? g[k] : 0.0f;
            value[k] = Rows::column(p) + k < seen ? value[k] : 0.0f;
          }
#pragma unroll
        for (int k = 0; k < kPack; ++k)
          sum = fmaf(g[k], value[k], sum);
      }
    stage(row + Stages * step);
    sum = team_sum(sum, shared);
#pragma unroll
    for (int p = 0; p < Packs; ++p) {
      RowPack<Element> out;
      out.clear();
      if (Rows::any(p, seen)) {
        float g[kPack], value[kPack];
        gradients[p].packed().read(g), results[p].packed().read(value);
        if (!Rows::any(p + 1, seen))
#pragma unroll
          for (int k = 0; k < kPack; ++k) { // dy too: what is not seen may be infinite or NaN
            g[k] = Rows::column(p) + k < seen ? g[k] : 0.0f;
            value[k] = Rows::column(p) + k < seen ? value[k] : 0.0f;
          }
#pragma unroll
        for (int k = 0; k < kPack; ++k)
          g[k] = row_computed((g[k] - sum) * value[k] * shape.scale);
        out.write(g);
      }
      if (Rows::column(p) < shape.columns)
        out.store_whole(dx + row * shape.stride + Rows::column(p));
    }
  }
  copy_wait<0>();
}

/* ---- Long rows ---- */

/* A running maximum and Σ 2^(scale·(x − maximum)). The first maximum is finite, so that -inf − maximum is -inf. */
struct RunningSum {
  float largest, sum;

  __device__ __forceinline__ static RunningSum begin() { return {-3.0e38f, __uint_as_float(row_zero())}; }
  template <int Lanes> __device__ __forceinline__ void add(const float (&values)[Lanes], float scale) {
    float now = largest;
#pragma unroll
    for (int k = 0; k < Lanes; ++k)
      now = fmaxf(now, values[k]);
    const float offset = __fmul_rn(now, scale);
    float added = row_exp2(fmaf(values[0], scale, -offset));
#pragma unroll
    for (int k = 1; k < Lanes; ++k)
      added = added + row_exp2(fmaf(values[k], scale, -offset));
    sum = fmaf(sum, row_exp2(fmaf(largest, scale, -offset)), added);
    largest = now;
  }
  /* Of all threads of the team; `offset` is scale·maximum. */
  __device__ __forceinline__ float total(float scale, TeamShared<32> &shared, float &offset) {
    const float mine = largest;
    largest = team_max(mine, shared);
    offset = __fmul_rn(largest, scale);
    return team_sum(__fmul_rn(sum, row_exp2(fmaf(mine, scale, -offset))), shared);
  }
};

typedef TeamShared<32> LongShared; /* of up to 1024 threads */

/* Calls body(pack, unit) for the units of this thread that hold the first `seen` columns: from shared memory if Staged, else
 * from memory, of which `read` columns may be read, kSweepLoads packs at a time. Last: they are not read again. */
enum { kSweepLoads = 4 };
template <bool Staged, bool Last, RowLayout Layout, typename Element, typename Body>
__device__ __forceinline__ void row_sweep(const Element *row, unsigned seen, unsigned read,
                                          const RowPack<Element> *staged, Body body) {
  typedef RowUnit<Element, Layout> Unit;
  const unsigned units = Unit::units(seen);
  if constexpr (Staged) {
    for (unsigned unit = threadIdx.x; unit < units; unit += blockDim.x)
      [[clang::always_inline]] body(staged[unit], unit);
  } else {
    for (unsigned first = threadIdx.x; first < units; first += kSweepLoads * blockDim.x) {
      RowPack<Element> packs[kSweepLoads];
#pragma unroll
      for (int i = 0; i < kSweepLoads; ++i)
        if (first + i * blockDim.x < units)
          packs[i] = Unit::template load<Last>(row, first + i * blockDim.x, read);
#pragma unroll
      for (int i = 0; i < kSweepLoads; ++i)
        if (first + i * blockDim.x < units) [[clang::always_inline]]
          body(packs[i], first + i * blockDim.x);
    }
  }
}

/* The first sweep over a row, by the whole block; it has `read` columns, of which the row sees `seen`. */
template <bool Staged, RowLayout Layout, typename Element>
__device__ __forceinline__ RunningSum row_first_sweep(const Element *row, unsigned seen, unsigned read,
                                                      float scale, const RowPack<Element> *staged) {
  typedef RowUnit<Element, Layout> Unit;
  RunningSum running = RunningSum::begin();
  row_sweep<Staged, false, Layout>(row, seen, read, staged, [&](const RowPack<Element> &pack, unsigned unit) {
    float values[Unit::kLanes];
    Unit::read(pack, unit, seen, values);
    running.add(values, scale);
  });
  return running;
}

/* The units of a row on their way into shared memory; row_stage_wait() waits for the thread's. Only it reads them. */
template <typename Element>
__device__ __forceinline__ void row_stage(const Element *row, unsigned columns, RowPack<Element> *staged) {
  for (unsigned unit = threadIdx.x; unit < RowUnit<Element, RowAligned>::units(columns); unit += blockDim.x)
    row_stage_pack(row, unit, columns, staged + unit);
}

/* Shared memory: if Staged, 16 bytes a unit of a row, which only the thread that stored them reads. */
#pragma gpuprof region("softmax.forward") phase(forward) category(softmax)
template <bool Staged, RowLayout Layout, typename Element>
__global__ void __launch_bounds__(1024)
    softmax_forward_long(const Element *__restrict__ x, Element *__restrict__ y, SoftmaxShape shape) {
  static_assert(!Staged || Layout == RowAligned, "a staged unit is a pack");
  typedef RowUnit<Element, Layout> Unit;
  extern __shared__ uint4 row_units[];
  RowPack<Element> *staged = (RowPack<Element> *)row_units;
  __shared__ __align__(16) LongShared::Half of_warps[2];
  LongShared shared = {of_warps, 0};
  size_t row = blockIdx.x;
  if constexpr (Staged)
    if (row < shape.rows)
      row_stage(x + row * shape.stride, shape.read(row, Unit::kLanes), staged);
  for (; row < shape.rows; row += gridDim.x) {
    const size_t next = row + gridDim.x;
    const Element *from = x + row * shape.stride, *after = from + gridDim.x * shape.stride;
    const unsigned seen = shape.seen(row), read = shape.read(row, Unit::kLanes);
    const unsigned next_read = Staged && next < shape.rows ? shape.read(next, Unit::kLanes) : 0;
    if (Staged)
      row_stage_wait();
    RunningSum running = row_first_sweep<Staged, Layout, Element>(from, seen, read, shape.scale_log2, staged);
    float offset;
    const float inverse = 1.0f / running.total(shape.scale_log2, shared, offset);
    // in both sweeps the units that this thread staged: there is no barrier
    row_sweep<Staged, true,
              Layout>(from, seen, read, staged, [&](const RowPack<Element> &pack, unsigned unit) {
      float values[Unit::kLanes];
      Unit::read(pack, unit, seen, values);
#pragma unroll
      for (int k = 0; k < Unit::kLanes; ++k)
        values[k] = row_exp2(fmaf(values[k], shape.scale_log2, -offset)) * inverse;
      Unit::template store<!Staged>(y + row * shape.stride, unit, shape.columns, values);
      if constexpr (Staged) // the unit's place is free: the next row's is on its way while this one is stored
        if (unit < Unit::units(next_read))
          row_stage_pack(after, unit, next_read, staged + unit);
    });
    if (seen == shape.columns)
      continue;
    unsigned unit = threadIdx.x;
    while (unit < Unit::units(seen))
      unit += blockDim.x;
    for (; unit < Unit::units(shape.columns); unit += blockDim.x) {
      float zeros[Unit::kLanes];
#pragma unroll
      for (int k = 0; k < Unit::kLanes; ++k)
        zeros[k] = 0.0f;
      Unit::store(y + row * shape.stride, unit, shape.columns, zeros);
      if constexpr (Staged)
        if (unit < Unit::units(next_read))
          row_stage_pack(after, unit, next_read, staged + unit);
    }
  }
}

/* ---- Cost ---- */

/* Σ columns that are read, and the bytes of their sectors; `lanes` a pack, 1 if unaligned. */
inline uint64_t softmax_columns_read(const SoftmaxShape &shape, RowLayout layout, uint64_t element_bytes) {
  const unsigned lanes = layout == RowAligned ? (unsigned)(16 / element_bytes) : 1;
  uint64_t read = 0;
  for (uint64_t row = 0; row < shape.rows; ++row)
    read += shape.read(row, lanes);
  return read;
}
inline uint64_t softmax_read_bytes(const SoftmaxShape &shape, RowLayout layout, uint64_t element_bytes) {
  const unsigned lanes = layout == RowAligned ? (unsigned)(16 / element_bytes) : 1;
  return ragged_bytes(shape.rows, shape.stride, element_bytes,
                      [&](uint64_t row) { return shape.read(row, lanes); });
}

inline ClosedForm softmax_forward_cost(RowLayout layout, const SoftmaxShape &shape, const RowTeams &t,
                                       uint64_t element_bytes) {
  ClosedForm cost = {};
  const uint64_t rows = shape.rows, lanes = row_lanes(t, element_bytes);
  cost.launches = 1;
  cost.threads = (uint64_t)t.blocks * t.teams * t.threads;
  cost.add = cost.fma = cost.special = rows * lanes;
  cost.mul = rows * (lanes + t.threads);
  cost.div = rows * t.threads;
  add_team_reductions(cost, t, rows, 1, 1);
  cost.global_load = element_bytes * softmax_columns_read(shape, layout, element_bytes);
  cost.global_store = element_bytes * rows * shape.columns;
  cost.unique = softmax_read_bytes(shape, layout, element_bytes) +
                matrix_bytes(rows, shape.columns, shape.stride, element_bytes);
  return cost;
}

/* With dx apart from dy. */
inline ClosedForm softmax_backward_cost(RowLayout layout, const SoftmaxShape &shape, const RowTeams &t,
                                        uint64_t element_bytes) {
  ClosedForm cost = {};
  const uint64_t rows = shape.rows, lanes = row_lanes(t, element_bytes);
  cost.launches = 1;
  cost.threads = (uint64_t)t.blocks * t.teams * t.threads;
  cost.add = cost.fma = rows * lanes;
  cost.mul = 2 * rows * lanes;
  add_team_reductions(cost, t, rows, 1, 0);
  cost.global_load = 2 * element_bytes * softmax_columns_read(shape, layout, element_bytes);
  cost.global_store = element_bytes * rows * shape.columns;
  cost.unique = 2 * softmax_read_bytes(shape, layout, element_bytes) +
                matrix_bytes(rows, shape.columns, shape.stride, element_bytes);
  return cost;
}

/* Teams of the causal kernels, with 4 packs a thread. */
inline RowTeams softmax_causal_teams(uint64_t rows, uint64_t columns, uint64_t element_bytes,
                                     uint64_t blocks) {
  const uint64_t row_packs = ceil_div(columns, 16 / element_bytes), warps = ceil_div(row_packs, 4 * 32);
  RowTeams t = {};
  t.packs = 32 * warps > kCausalThreads ? 0 : 4; // 0: the row is too long
  t.threads = (unsigned)(32 * warps);
  t.teams = warps == 1 ? 4 : 1;
  const uint64_t most = ceil_div(rows, t.teams);
  t.blocks = (unsigned)(most < blocks ? most : blocks);
  return t;
}
inline size_t softmax_causal_shared(const RowTeams &t, unsigned matrices, unsigned stages) {
  return (size_t)16 * stages * matrices * t.packs * t.threads * t.teams;
}

/* Of the forward kernel, which reads one matrix, or the backward kernel, which reads two. */
inline ClosedForm softmax_causal_cost(bool backward, const SoftmaxShape &shape, const RowTeams &t,
                                      uint64_t element_bytes) {
  ClosedForm cost = backward ? softmax_backward_cost(RowAligned, shape, t, element_bytes)
                             : softmax_forward_cost(RowAligned, shape, t, element_bytes);
  const uint64_t rows = shape.rows, pack = 16 / element_bytes, width = t.threads * pack,
                 lanes = rows * row_lanes(t, element_bytes);
  uint64_t computed = 0, packs = 0;
  for (uint64_t row = 0; row < rows; ++row) {
    computed += ceil_div(shape.seen(row), width) * width;
    packs += ceil_div(shape.seen(row), pack);
  }
  cost.add -= lanes - computed;
  cost.fma -= lanes - computed;
  cost.mul -= (backward ? 2 : 1) * (lanes - computed);
  cost.special -= backward ? 0 : lanes - computed;
  cost.shared_load += (backward ? 32 : 16) * packs;
  cost.shared_store += (backward ? 32 : 16) * packs;
  return cost;
}

/* Adds the first sweep over rows with `units` units in all, and what lies between the sweeps. */
inline void add_first_sweep(ClosedForm &cost, const RowTeams &t, uint64_t rows, uint64_t units,
                            uint64_t lanes) {
  cost.mul += units + rows * 2 * t.threads;
  cost.fma += units * (lanes + 2) + rows * t.threads;
  cost.special += units * (lanes + 1) + rows * t.threads;
  cost.add += units * (lanes - 1);
  add_team_reductions(cost, t, rows, 1, 1);
}

inline ClosedForm softmax_forward_long_cost(bool staged, RowLayout layout, const SoftmaxShape &shape,
                                            unsigned block, unsigned blocks, uint64_t element_bytes) {
  ClosedForm cost = {};
  const RowTeams t = {block, 1, 1, blocks};
  const uint64_t rows = shape.rows, lanes = layout == RowAligned ? 16 / element_bytes : 1;
  uint64_t units = 0;
  for (uint64_t row = 0; row < rows; ++row)
    units += ceil_div(shape.seen(row), lanes);
  cost.launches = 1;
  cost.threads = (uint64_t)blocks * block;
  add_first_sweep(cost, t, rows, units, lanes);
  cost.div = rows * block;
  cost.fma += units * lanes;
  cost.special += units * lanes;
  cost.mul += units * lanes;
  cost.global_load = (staged ? 1 : 2) * element_bytes * softmax_columns_read(shape, layout, element_bytes);
  cost.global_store = element_bytes * rows * shape.columns;
  cost.shared_load += staged ? 32 * units : 0;
  cost.shared_store += staged ? 16 * units : 0;
  cost.unique = softmax_read_bytes(shape, layout, element_bytes) +
                matrix_bytes(rows, shape.columns, shape.stride, element_bytes);
  return cost;
}

#endif
