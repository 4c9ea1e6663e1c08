/* Softmax over the columns of a row, with scale and causal mask, forward and backward.
 *
 *   forward    y_c = exp(scale·(x_c − max))/Σ exp(scale·(x − max)), over the columns that the row sees
 *   causal     row r is query q = r mod queries of its matrix, and sees columns c ≤ q + columns − queries; behind
 *              them y and dx are 0, and nothing but the rest of a pack is read there
 *   backward   dx = scale·y·(dy − Σ dy·y)
 *
 * Shapes: x, y, dy, dx [rows][stride], rows = matrices·queries; columns ≥ queries if causal; scale > 0.
 *
 * Rows of up to 16 KiB times 2 stay in registers and are read once (`softmax_forward`, `softmax_backward`). Longer
 * ones are read in two sweeps by a block of any multiple of 32 threads. The first keeps a running maximum and a sum
 * that is corrected when the maximum rises (Milakov and Gimelshein 2018). The second writes. Between them the row lies
 * in shared memory (Staged), or comes once more from the second level of cache (`softmax_forward_long`).
 *
 * Closed form: R rows of C columns, S = Σ read columns, T threads a team, L = T·Packs·(16/E) lanes, E bytes an
 * element, N = 16/E lanes a pack (1 if unaligned), U = Σ ⌈seen/N⌉ packs; sums and maxima over a team as in rows.cuh:
 *   forward        add R·L, mul R·(L + T), fma R·L, special R·L, div R·T, one maximum, one sum
 *                  global load E·S, store E·R·C
 *   backward       add R·L, mul R·2L, fma R·L, one sum;   global load 2·E·S, store E·R·C
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

/* `dx` may be `dy`. */
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

/* The first sweep over a row, by the whole block; it has `read` columns, of which the row sees `seen`. */
template <bool Staged, RowLayout Layout, typename Element>
__device__ __forceinline__ RunningSum row_first_sweep(const Element *row, unsigned seen, unsigned read,
                                                      float scale, const RowPack<Element> *staged) {
  typedef RowUnit<Element, Layout> Unit;
  RunningSum running = RunningSum::begin();
  for (unsigned unit = threadIdx.x; unit < Unit::units(seen); unit += blockDim.x) {
    float values[Unit::kLanes];
    Unit::read(Staged ? staged[unit] : Unit::load(row, unit, read), unit, seen, values);
    running.add(values, scale);
  }
  return running;
}

/* One unit on its way into shared memory; row_staged() waits for all of the thread's. Only it reads them. */
template <typename Element>
__device__ __forceinline__ void row_stage_unit(const Element *row, unsigned unit, unsigned columns,
                                               RowPack<Element> *staged) {
  typedef RowUnit<Element, RowAligned> Unit;
  if ((unit + 1) * Unit::kLanes <= columns)
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(staged + unit)),
        "l"(row + unit * Unit::kLanes)
        : "memory");
  else
    staged[unit] = Unit::load(row, unit, columns);
}
template <typename Element>
__device__ __forceinline__ void row_stage(const Element *row, unsigned columns, RowPack<Element> *staged) {
  for (unsigned unit = threadIdx.x; unit < RowUnit<Element, RowAligned>::units(columns); unit += blockDim.x)
    row_stage_unit(row, unit, columns, staged);
}
__device__ __forceinline__ void row_staged() { asm volatile("cp.async.wait_all;" ::: "memory"); }

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
      row_staged();
    RunningSum running = row_first_sweep<Staged, Layout, Element>(from, seen, read, shape.scale_log2, staged);
    float offset;
    const float inverse = 1.0f / running.total(shape.scale_log2, shared, offset);
    unsigned unit = threadIdx.x; // in both loops those that this thread staged: there is no barrier
    for (; unit < Unit::units(seen); unit += blockDim.x) {
      float values[Unit::kLanes];
      Unit::read(Staged ? staged[unit] : Unit::load(from, unit, read), unit, seen, values);
#pragma unroll
      for (int k = 0; k < Unit::kLanes; ++k)
        values[k] = row_exp2(fmaf(values[k], shape.scale_log2, -offset)) * inverse;
      Unit::store(y + row * shape.stride, unit, shape.columns, values);
      if constexpr (Staged)
        if (unit <
            Unit::units(
                next_read)) // the unit's place is free: the next row's is on its way while this one is stored
          row_stage_unit(after, unit, next_read, staged);
    }
    for (; unit < Unit::units(shape.columns); unit += blockDim.x) {
      float zeros[Unit::kLanes];
#pragma unroll
      for (int k = 0; k < Unit::kLanes; ++k)
        zeros[k] = 0.0f;
      Unit::store(y + row * shape.stride, unit, shape.columns, zeros);
      if constexpr (Staged)
        if (unit < Unit::units(next_read))
          row_stage_unit(after, unit, next_read, staged);
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
