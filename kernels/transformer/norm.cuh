/* Layer normalisation and RMS normalisation over the columns of a row, forward and backward; the addition of the
 * residual branch can be part of both.
 *
 *   layer norm   mean = Σx/C,  variance = Σ(x − mean)²/C,  rstd = 1/√(variance + ε),  y = (x − mean)·rstd·γ + β
 *   RMS norm     rstd = 1/√(Σx²/C + ε),  y = x·rstd·γ
 *   residual     forward: x = input + residual is stored too; backward: dx = … + dresidual
 *   backward     x̂ = (x − mean)·rstd (RMS: x·rstd),  g = dy·γ,
 *                dx = rstd·(g − Σg/C − x̂·Σ(g·x̂)/C)  (RMS: without Σg),
 *                dγ = Σ over rows of dy·x̂,  dβ = Σ over rows of dy
 *
 * dγ and dβ in two stages, in a fixed order: each team sums the rows that it takes (`partials`
 * [teams of the grid][2 or 1][columns]; norm_backward_staged: [blocks]…), then `column_sums` adds the partial rows.
 *
 * Shapes: matrices [rows][stride], γ and β [columns] elements; mean and rstd [rows] floats. A row is read once:
 * it stays in registers while its sums are made, and the next row is on its way. The mean is taken first and the
 * squares are those of differences from it.
 *
 * Closed form: R rows, C columns, T threads a team, L = T·Packs·(16/E) lanes, G teams of the grid, elements of
 * E bytes; V warps a team, rounded up to a multiple of 4: a sum over the team is (4 + V)·T additions, two together are
 * (3 + 2·V)·T; 5·T for one warp in both cases (add_team_reductions() has the shared bytes):
 *   layer forward   add R·2L, mul R·(L + T), fma R·(2L + T), special R·T, two sums; residual: add R·L more
 *                   global load E·R·C + 2·E·G·C (residual: 2·E·R·C), store E·R·C + 8·R (residual: 2·E·R·C + 8·R)
 *   RMS forward     mul R·2L, fma R·(L + T), special R·T, one sum;  load E·R·C + E·G·C, store E·R·C + 4·R
 *   layer backward  add R·L, mul R·(L + 5T), fma R·6L, two sums together;  dresidual: add R·L more
 *                   load 2·E·R·C + 8·R·T + E·G·C (dresidual: 3·E·R·C), store E·R·C + 8·G·C
 *   RMS backward    mul R·(3L + 2T), fma R·3L, one sum;  load 2·E·R·C + 4·R·T + E·G·C, store E·R·C + 4·G·C
 *   staged          the same, but statistics are loaded once a warp, and 8·B·C (RMS: 4·B·C) stored by B blocks, after
 *                   additions of their teams' sums; norm_backward_staged_cost() has the shared bytes
 *   column sums     add G·C + 31·32·⌈C/32⌉ an array;  load 4·G·C, store E·C an array
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_NORM_CUH
#define GPUPROF_KERNELS_TRANSFORMER_NORM_CUH

#include "rows.cuh"

enum NormKind { LayerNorm, RmsNorm };

struct NormShape {
  size_t rows, stride;
  unsigned columns;
  float inverse; /* 1/columns */
  float epsilon;
};

inline NormShape norm_shape(size_t rows, size_t columns, size_t stride, float epsilon) {
  const NormShape shape = {rows, stride, (unsigned)columns, 1.0f / (float)columns, epsilon};
  return shape;
}

/* Without Residual, `residual` and `sum` are not used; without a mean, `beta` and `mean` are not. */
#pragma gpuprof region("norm.forward") phase(forward) category(norm)
template <NormKind Kind, bool Residual, RowLayout Layout, int Packs, typename Element>
__global__ void __launch_bounds__(kRowThreads, Packs <= 2 && !Residual ? 2 : 1)
    norm_forward(const Element *__restrict__ input, const Element *__restrict__ residual,
                 const Element *__restrict__ gamma, const Element *__restrict__ beta,
                 Element *__restrict__ sum, Element *__restrict__ y, float *__restrict__ mean,
                 float *__restrict__ rstd, NormShape shape) {
  typedef RowPart<Element, Packs, Layout> Part;
  __shared__ __align__(16) RowShared::Half of_warps[2];
  RowShared shared = {of_warps, 0};
  const size_t step = (size_t)gridDim.x * blockDim.y;
  size_t row = (size_t)blockIdx.x * blockDim.y + threadIdx.y;
  Part scale, shift, next, next_residual;
  scale.load(gamma, shape.columns);
  if (Kind == LayerNorm)
    shift.load(beta, shape.columns);
  if (row < shape.rows) {
    next.load(input + row * shape.stride, shape.columns);
    if (Residual)
      next_residual.load(residual + row * shape.stride, shape.columns);
  }
  for (; row < shape.rows; row += step) {
    float x[Part::kLanes], other[Part::kLanes];
    next.read(x);
    if (Residual) {
      next_residual.read(other);
#pragma unroll
      for (int k = 0; k < Part::kLanes; ++k)
        x[k] = snn_rounded<Element>(x[k] + other[k]);
      Part::store(sum + row * shape.stride, shape.columns, x);
    }
    if (row + step < shape.rows) { // in flight while this row is summed
      next.load(input + (row + step) * shape.stride, shape.columns);
      if (Residual)
        next_residual.load(residual + (row + step) * shape.stride, shape.columns);
    }
    float row_mean = 0.0f, squares = __uint_as_float(row_zero());
    if (Kind == LayerNorm) {
      float total = __uint_as_float(row_zero());
#pragma unroll
      for (int k = 0; k < Part::kLanes; ++k)
        total = total + x[k];
      row_mean = __fmul_rn(team_sum(total, shared), shape.inverse);
#pragma unroll
      for (int k = 0; k < Part::kLanes; ++k)
        x[k] = (Part::column(k) < shape.columns ? x[k] : row_mean) - row_mean;
    }
#pragma unroll
    for (int k = 0; k < Part::kLanes; ++k)
      squares = fmaf(x[k], x[k], squares);
    const float r = rsqrtf(fmaf(team_sum(squares, shared), shape.inverse, shape.epsilon));
    float g[Part::kLanes], b[Part::kLanes];
    scale.read_packed(g);
    if (Kind == LayerNorm)
      shift.read_packed(b);
#pragma unroll
    for (int k = 0; k < Part::kLanes; ++k)
      x[k] = Kind == LayerNorm ? fmaf(x[k] * r, g[k], b[k]) : x[k] * r * g[k];
    Part::store(y + row * shape.stride, shape.columns, x);
    if (threadIdx.x == 0) {
      rstd[row] = r;
      if (Kind == LayerNorm)
        mean[row] = row_mean;
    }
  }
}

/* A row's gradients in two passes over a thread's lanes, which each kernel feeds from where it keeps the row: `add` sums,
 * `finish` follows the team's sums. Products stay in registers between them. */
template <NormKind Kind, int Lanes> struct NormGradients {
  float dgamma[Lanes], dbeta[Lanes]; /* over all rows of the team */
  float weighted[Lanes], normal[Lanes];
  float first, second;

  __device__ __forceinline__ void begin() {
    const float zero = __uint_as_float(row_zero());
#pragma unroll
    for (int k = 0; k < Lanes; ++k)
      dgamma[k] = dbeta[k] = zero;
  }
  __device__ __forceinline__ void begin_row() { first = second = __uint_as_float(row_zero()); }
  /* dy, the normalised value and γ of lane k; the compiler makes one multiply-add of `weighted` and its sum. */
  __device__ __forceinline__ void add(int k, float g, float value, float scale) {
    normal[k] = value;
    weighted[k] = g * scale;
    dgamma[k] = fmaf(g, value, dgamma[k]);
    if (Kind == LayerNorm) {
      dbeta[k] = dbeta[k] + g;
      first = fmaf(g, scale, first);
    }
    second = fmaf(weighted[k], value, second);
  }
  /* `first` and `second` become the coefficients of dx = weighted·rstd + normal·second + first. */
  template <class Shared> __device__ __forceinline__ void sum(Shared &shared, float inverse, float r) {
    if (Kind == LayerNorm)
      team_sums(first, second, shared);
    else
      second = team_sum(second, shared);
    first = -__fmul_rn(__fmul_rn(first, inverse), r);
    second = -__fmul_rn(__fmul_rn(second, inverse), r);
  }
  __device__ __forceinline__ float finish(int k, float r) const {
    return fmaf(weighted[k], r,
                Kind == LayerNorm ? fmaf(normal[k], second, first) : __fmul_rn(normal[k], second));
  }
};

/* `x` is what was normalised: the stored sum where there is a residual. Any layout; the next row is in registers. */
#pragma gpuprof region("norm.backward") phase(backward) category(norm)
template <NormKind Kind, bool Residual, RowLayout Layout, int Packs, typename Element>
__global__ void __launch_bounds__(kRowThreads)
    norm_backward(const Element *__restrict__ dy, const Element *__restrict__ x,
                  const Element *__restrict__ dresidual, const Element *__restrict__ gamma,
                  const float *__restrict__ mean, const float *__restrict__ rstd, Element *__restrict__ dx,
                  float *__restrict__ partials, NormShape shape) {
  typedef RowPart<Element, Packs, Layout> Part;
  enum { kArrays = Kind == LayerNorm ? 2 : 1 };
  __shared__ __align__(16) RowShared::Half of_warps[2];
  RowShared shared = {of_warps, 0};
  const size_t step = (size_t)gridDim.x * blockDim.y, team = (size_t)blockIdx.x * blockDim.y + threadIdx.y;
  size_t row = team;
  Part scale, next_dy, next_x, added;
  float next_mean = 0.0f, next_rstd = 0.0f;
  NormGradients<Kind, Part::kLanes> gradients;
  gradients.begin();
  scale.load(gamma, shape.columns);
  if (row < shape.rows) {
    next_dy.load(dy + row * shape.stride, shape.columns);
    next_x.load(x + row * shape.stride, shape.columns);
    next_mean = Kind == LayerNorm ? mean[row] : 0.0f, next_rstd = rstd[row];
  }
  for (; row < shape.rows; row += step) {
    float g[Part::kLanes], v[Part::kLanes], scales[Part::kLanes], other[Part::kLanes];
    const float r = next_rstd, shift = -__fmul_rn(next_mean, r);
    next_dy.read(g);
    next_x.read(v);
    scale.read_packed(scales);
    if (Residual)
      added.load(dresidual + row * shape.stride, shape.columns);
    gradients.begin_row();
#pragma unroll
    for (int k = 0; k < Part::kLanes; ++k)
      gradients.add(k, g[k], Kind == LayerNorm ? fmaf(v[k], r, shift) : __fmul_rn(v[k], r), scales[k]);
    if (row + step < shape.rows) {
      next_dy.load(dy + (row + step) * shape.stride, shape.columns);
      next_x.load(x + (row + step) * shape.stride, shape.columns);
      next_mean = Kind == LayerNorm ? mean[row + step] : 0.0f, next_rstd = rstd[row + step];
    }
    gradients.sum(shared, shape.inverse, r);
    if (Residual)
      added.read(other);
#pragma unroll
    for (int k = 0; k < Part::kLanes; ++k)
      g[k] = Residual ? gradients.finish(k, r) + other[k] : gradients.finish(k, r);
    Part::store(dx + row * shape.stride, shape.columns, g);
  }
  __syncwarp(); // teams without a row load their sums like the others, and are not a case of their own
  float *own = partials + team * kArrays * shape.columns;
  Part::store_floats(own, shape.columns, gradients.dgamma);
  if (Kind == LayerNorm)
    Part::store_floats(own + shape.columns, shape.columns, gradients.dbeta);
}

/* Rows on their way that were the fastest on an H200. */
constexpr int norm_stages(int packs) { return packs == 1 ? 3 : 2; }

/* norm_backward of rows whose loads take no registers, the fastest: norm_stages() rows of a team are on their way to shared memory
 * by asynchronous copies. A thread reads the packs that it copied: no barrier; lane 0 of a warp copies statistics.
 * Columns·E is a multiple of 16. norm_staged_shared() bytes of dynamic shared memory; partials [blocks][2 or 1][columns].
 * Blocks of at most 256 threads with more than 2 packs. Threads: those of a team where they are known, which saves
 * instructions. */
#pragma gpuprof region("norm.backward") phase(backward) category(norm)
template <NormKind Kind, bool Residual, int Packs, typename Element, int Threads = 0>
__global__ void __launch_bounds__(Packs <= 2 ? kRowThreads : kRowThreads / 2)
    norm_backward_staged(const Element *__restrict__ dy, const Element *__restrict__ x,
                         const Element *__restrict__ dresidual, const Element *__restrict__ gamma,
                         const float *__restrict__ mean, const float *__restrict__ rstd,
                         Element *__restrict__ dx, float *__restrict__ partials, NormShape shape) {
  typedef RowPack<Element> Pack;
  enum { kPack = SnnPack<Element>::kLanes, kLanes = Packs * kPack, kMatrices = Residual ? 3 : 2 };
  enum { Stages = norm_stages(Packs) };
  enum { kArrays = Kind == LayerNorm ? 2 : 1 };
  enum { kKeepsScale = Packs == 1 }; // as floats: there are registers left
  __shared__ __align__(16) RowShared::Half of_warps[2];
  RowShared shared = {of_warps, 0};
  extern __shared__ uint4 row_units[];
  const unsigned team = Threads ? Threads : blockDim.x, threads = team * blockDim.y,
                 thread = threadIdx.y * team + threadIdx.x;
  const unsigned step = gridDim.x * blockDim.y, columns = shape.columns, first = threadIdx.x * kPack,
                 width = team * kPack;          // columns from pack to pack
  Pack *const own = (Pack *)row_units + thread; // [stage][matrix][pack][thread]
  float2 *const statistics =
      (float2 *)((Pack *)row_units + Stages * kMatrices * Packs * threads) + thread / 32;
  unsigned row = blockIdx.x * blockDim.y + threadIdx.y, next = row;
  size_t at = row * shape.stride + first, next_at = at;
  const size_t row_step = step * shape.stride;
  bool within[Packs];
#pragma unroll
  for (int p = 0; p < Packs; ++p)
    within[p] = first + p * width < columns;

  const auto stage = [&](unsigned slot) {
    if (next < shape.rows) {
      Pack *to = own + slot * kMatrices * Packs * threads;
#pragma unroll
      for (int m = 0; m < kMatrices; ++m) {
        const Element *from = (m == 0 ? dy : m == 1 ? x : dresidual) + next_at;
#pragma unroll
        for (int p = 0; p < Packs; ++p, to += threads)
          if (within[p])
            copy_async(shared_address(to), from + p * width);
      }
      float2 *const of_row = statistics + slot * (threads / 32);
      if (threadIdx.x % 32 == 0) {
        if (Kind == LayerNorm)
          row_stage_float(mean + next, &of_row->x);
        row_stage_float(rstd + next, &of_row->y);
      }
    }
    copy_commit();
    next += step, next_at += row_step;
  };
  Pack scale[Packs];
#pragma unroll
  for (int p = 0; p < Packs; ++p) {
    scale[p].clear();
#pragma unroll
    for (int s = 0; s < Stages * kMatrices; ++s) // packs behind the last column stay zeros
      if (!within[p])
        own[(s * Packs + p) * threads] = scale[p];
    if (within[p])
      scale[p].load(gamma + first + p * width);
  }
  float kept_scales[kPack];
  if (kKeepsScale) {
    scale[0].read(kept_scales);
#pragma unroll
    for (int i = 0; i < kPack; ++i)
      kept_scales[i] = row_computed(kept_scales[i]);
  }
#pragma unroll
  for (int s = 0; s < Stages; ++s)
    stage(s);
  NormGradients<Kind, kLanes> gradients;
  gradients.begin();
  unsigned slot = 0;
  for (; row < shape.rows; row += step, at += row_step) {
    copy_wait<Stages - 1>();
    __syncwarp(); // lane 0 has waited for the statistics
    const float2 of_row = statistics[slot * (threads / 32)];
    const float r = of_row.y, shift = Kind == LayerNorm ? -__fmul_rn(of_row.x, r) : 0.0f;
    const Pack *const from = own + slot * kMatrices * Packs * threads;
    Pack other[Packs];
    gradients.begin_row();
#pragma unroll
    for (int p = 0; p < Packs; ++p) {
      float g[kPack], v[kPack], scales[kPack];
      from[p * threads].read(g);
      from[(Packs + p) * threads].read(v);
      if (Residual)
        other[p] = from[(2 * Packs + p) * threads];
      if (!kKeepsScale)
        scale[p].packed().read(scales);
#pragma unroll
      for (int i = 0; i < kPack; ++i)
        gradients.add(p * kPack + i, g[i], Kind == LayerNorm ? fmaf(v[i], r, shift) : __fmul_rn(v[i], r),
                      kKeepsScale ? kept_scales[i] : scales[i]);
    }
    __syncwarp(); // all lanes have read the statistics
    stage(slot);
    slot = slot + 1 == Stages ? 0 : slot + 1;
    gradients.sum(shared, shape.inverse, r);
#pragma unroll
    for (int p = 0; p < Packs; ++p) {
      float out[kPack], added[kPack];
      if (Residual)
        other[p].read(added);
#pragma unroll
      for (int i = 0; i < kPack; ++i) {
        out[i] = gradients.finish(p * kPack + i, r);
        if (Residual)
          out[i] = out[i] + added[i];
        out[i] = row_computed(out[i]); // also in threads that store nothing
      }
      if (within[p])
        Pack::store(dx + at + p * width, out);
    }
  }
  copy_wait<0>();

  const auto store_sums = [&](float *to, const float(&sums)[kLanes]) {
#pragma unroll
    for (int p = 0; p < Packs; ++p)
      if (within[p])
#pragma unroll
        for (int i = 0; i < kPack; i += 4)
          *(float4 *)(to + first + p * width + i) = make_float4(
              sums[p * kPack + i], sums[p * kPack + i + 1], sums[p * kPack + i + 2], sums[p * kPack + i + 3]);
  };
  float *const of_block = partials + (size_t)blockIdx.x * kArrays * columns;
  if (blockDim.y == 1) {
    store_sums(of_block, gradients.dgamma);
    if (Kind == LayerNorm)
      store_sums(of_block + columns, gradients.dbeta);
    return;
  }
  __syncthreads(); // the teams' rows make room for their sums
  float *const in_shared = (float *)row_units, *const of_team = in_shared + threadIdx.y * kArrays * columns;
  store_sums(of_team, gradients.dgamma);
  if (Kind == LayerNorm)
    store_sums(of_team + columns, gradients.dbeta);
  __syncthreads();
  for (unsigned c = thread; c < kArrays * columns; c += threads) {
    float sum = in_shared[c];
    for (unsigned y = 1; y < blockDim.y; ++y)
      sum = sum + in_shared[y * kArrays * columns + c];
    of_block[c] = sum;
  }
}

enum { kColumnSumsWidth = 32, kColumnSumsHeight = 32 };

/* Sums over the first index of partials [count][gridDim.y][columns]; array 0 to `first`, array 1 to `second`. A block of
 * (32, 32) threads takes 32 columns of one array. */
#pragma gpuprof region("norm.column_sums") phase(backward) category(norm)
template <typename Element>
__global__ void __launch_bounds__(kColumnSumsWidth *kColumnSumsHeight)
    column_sums(const float *__restrict__ partials, Element *__restrict__ first, Element *__restrict__ second,
                size_t count, unsigned columns) {
  __shared__ float sums[kColumnSumsHeight][kColumnSumsWidth];
  const unsigned column = blockIdx.x * kColumnSumsWidth + threadIdx.x, y = threadIdx.y;
  const size_t stride = (size_t)gridDim.y * columns;
  const float *from = partials + (size_t)blockIdx.y * columns + column;
  float sum = __uint_as_float(row_zero());
  if (column < columns)
    for (size_t i = y; i < count; i += kColumnSumsHeight)
      sum = sum + from[i * stride];
  sums[y][threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = kColumnSumsHeight / 2; half > 0; half /= 2) {
    if (y < half)
      sums[y][threadIdx.x] = sums[y][threadIdx.x] + sums[y + half][threadIdx.x];
    __syncthreads();
  }
  if (y == 0 && column < columns)
    (blockIdx.y == 0 ? first : second)[column] = snn_element<Element>(sums[0][threadIdx.x]);
}

/* ---- Cost ---- */

inline ClosedForm norm_forward_cost(NormKind kind, bool residual, const NormShape &shape, const RowTeams &t,
                                    uint64_t element_bytes) {
  ClosedForm cost = {};
  const uint64_t rows = shape.rows, lanes = row_lanes(t, element_bytes), layer = kind == LayerNorm;
  const uint64_t matrix = element_bytes * rows * shape.columns, vector = element_bytes * shape.columns;
  cost.launches = 1;
  cost.threads = (uint64_t)t.blocks * t.threads * t.teams;
  cost.add = rows * lanes * (2 * layer + residual);
  cost.mul = rows * (layer ? lanes + t.threads : 2 * lanes);
  cost.fma = rows * ((1 + layer) * lanes + t.threads);
  cost.special = rows * t.threads;
  add_team_reductions(cost, t, rows, 1 + layer, 0);
  cost.global_load = (1 + residual) * matrix + (1 + layer) * vector * t.blocks * t.teams;
  cost.global_store = (1 + residual) * matrix + 4 * (1 + layer) * rows;
  cost.unique = (2 + 2 * residual) * matrix_bytes(rows, shape.columns, shape.stride, element_bytes) +
                (1 + layer) * (sector_bytes_of(shape.columns, element_bytes) + sector_bytes(rows));
  return cost;
}

inline ClosedForm norm_backward_cost(NormKind kind, bool residual, const NormShape &shape, const RowTeams &t,
                                     uint64_t element_bytes) {
  ClosedForm cost = {};
  const uint64_t rows = shape.rows, lanes = row_lanes(t, element_bytes), layer = kind == LayerNorm;
  const uint64_t matrix = element_bytes * rows * shape.columns, teams = (uint64_t)t.blocks * t.teams;
  cost.launches = 1;
  cost.threads = teams * t.threads;
  cost.add = rows * lanes * (layer + residual);
  cost.mul = rows * ((3 - 2 * layer) * lanes + (2 + 3 * layer) * t.threads);
  cost.fma = rows * (3 + 3 * layer) * lanes;
  add_team_reductions(cost, t, rows, !layer, 0, layer);
  cost.global_load =
      (2 + residual) * matrix + 4 * (1 + layer) * rows * t.threads + element_bytes * shape.columns * teams;
  cost.global_store = matrix + 4 * (1 + layer) * teams * shape.columns;
  cost.unique = (3 + residual) * matrix_bytes(rows, shape.columns, shape.stride, element_bytes) +
                sector_bytes_of(shape.columns, element_bytes) + (1 + layer) * sector_bytes(rows) +
                sector_bytes((1 + layer) * teams * shape.columns);
  return cost;
}

/* Teams and dynamic shared memory of norm_backward_staged; above 48 KiB it takes cudaFuncSetAttribute(). Rows of more than
 * 2·kRowThreads packs are too long. */
inline RowTeams norm_staged_teams(uint64_t rows, uint64_t columns, uint64_t element_bytes, uint64_t blocks) {
  const uint64_t row_packs = ceil_div(columns, 16 / element_bytes);
  RowTeams t = row_teams(rows, columns, element_bytes, blocks, 3);
  if (row_packs > 2 * kRowThreads)
    t = RowTeams(); // the row is too long: norm_backward takes it
  if (row_packs <= 96 || row_packs > kRowThreads)
    return t;
  t.packs = 1, t.teams = 1;
  t.threads = (unsigned)(ceil_div(row_packs, 32) * 32);
  t.blocks = (unsigned)(rows < blocks ? rows : blocks);
  return t;
}
inline size_t norm_staged_shared(NormKind kind, bool residual, const NormShape &shape, const RowTeams &t) {
  const size_t stages = (size_t)norm_stages((int)t.packs), threads = (size_t)t.threads * t.teams,
               rows = stages * threads * (16 * (2 + residual) * t.packs) + stages * threads / 4;
  const size_t sums = t.teams > 1 ? 4 * (size_t)t.teams * (kind == LayerNorm ? 2 : 1) * shape.columns : 0;
  return rows > sums ? rows : sums;
}

inline ClosedForm norm_backward_staged_cost(NormKind kind, bool residual, const NormShape &shape,
                                            const RowTeams &t, uint64_t element_bytes) {
  ClosedForm cost = norm_backward_cost(kind, residual, shape, t, element_bytes);
  const uint64_t rows = shape.rows, layer = kind == LayerNorm, arrays = 1 + layer, columns = shape.columns,
                 statistics = 4 * arrays * rows * t.threads, sums = 4 * arrays * columns * t.blocks,
                 row_packs = columns / (16 / element_bytes), team_packs = (uint64_t)t.threads * t.packs,
                 matrices = 16 * (2 + residual), stages = (uint64_t)norm_stages((int)t.packs);
  cost.global_load -= statistics - statistics / 32;
  cost.shared_load += matrices * rows * team_packs + statistics;
  cost.shared_store +=
      matrices * (rows * row_packs + stages * t.blocks * t.teams * (team_packs - row_packs)) +
      statistics / 32;
  if (t.teams == 1)
    return cost;
  cost.add += (t.teams - 1) * arrays * columns * t.blocks;
  cost.shared_store += t.teams * sums;
  cost.shared_load += t.teams * sums;
  cost.global_store -= (t.teams - 1) * sums;
  cost.unique +=
      sector_bytes(arrays * t.blocks * columns) - sector_bytes(arrays * t.blocks * t.teams * columns);
  return cost;
}

inline ClosedForm column_sums_cost(uint64_t count, uint64_t arrays, uint64_t columns,
                                   uint64_t element_bytes) {
  ClosedForm cost = {};
  const uint64_t blocks = ceil_div(columns, kColumnSumsWidth) * arrays,
                 threads = kColumnSumsWidth * kColumnSumsHeight;
  cost.launches = 1;
  cost.threads = blocks * threads;
  cost.add = arrays * count * columns + blocks * kColumnSumsWidth * (kColumnSumsHeight - 1);
  cost.global_load = 4 * arrays * count * columns;
  cost.global_store = element_bytes * arrays * columns;
  cost.shared_store = 4 * (blocks * threads + blocks * kColumnSumsWidth * (kColumnSumsHeight - 1));
  cost.shared_load = 8 * blocks * kColumnSumsWidth * (kColumnSumsHeight - 1) + 4 * arrays * columns;
  cost.unique = sector_bytes(arrays * count * columns) + arrays * sector_bytes_of(columns, element_bytes);
  return cost;
}

#endif
