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
 * [teams of the grid][2 or 1][columns]), then `column_sums` adds the teams' rows.
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
 *   layer backward  add R·3L, mul R·(3L + 5T), fma R·5L, two sums together;  dresidual: add R·L more
 *                   load 2·E·R·C + 8·R·T + E·G·C (dresidual: 3·E·R·C), store E·R·C + 8·G·C
 *   RMS backward    mul R·(4L + 3T), fma R·3L, one sum;  load 2·E·R·C + 4·R·T + E·G·C, store E·R·C + 4·G·C
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

/* A thread's sums of columns, four lanes at a time: in registers, or in dynamic shared memory, where they leave the
 * registers of more threads for rows on their way. A thread's sums are its own: no barrier. */
template <int Lanes, bool InShared> struct ColumnSums {
  float sum[Lanes];
  __device__ __forceinline__ void begin(float4 *, float zero) {
#pragma unroll
    for (int k = 0; k < Lanes; ++k)
      sum[k] = zero;
  }
  __device__ __forceinline__ void get(int lane, float (&four)[4]) const {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      four[i] = sum[lane + i];
  }
  __device__ __forceinline__ void put(int lane, const float (&four)[4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      sum[lane + i] = row_computed(four[i]); // not at the end of the loop: fewer values live
  }
};
template <int Lanes> struct ColumnSums<Lanes, true> {
  float4 *own; // a team's width apart
  __device__ __forceinline__ void begin(float4 *shared, float zero) {
    own = shared + threadIdx.x;
    for (int i = 0; i < Lanes / 4; ++i)
      own[i * blockDim.x] = make_float4(zero, zero, zero, zero);
  }
  __device__ __forceinline__ void get(int lane, float (&four)[4]) const {
    const float4 sum = own[lane / 4 * blockDim.x];
    four[0] = sum.x, four[1] = sum.y, four[2] = sum.z, four[3] = sum.w;
  }
  __device__ __forceinline__ void put(int lane, const float (&four)[4]) {
    own[lane / 4 * blockDim.x] = make_float4(four[0], four[1], four[2], four[3]);
  }
};

template <class Part, class Sums>
__device__ __forceinline__ void store_column_sums(float *to, unsigned columns, const Sums &from,
                                                  float (&sums)[Part::kLanes]) {
#pragma unroll
  for (int q = 0; q < Part::kLanes; q += 4) {
    float four[4];
    from.get(q, four);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      sums[q + i] = four[i];
  }
  Part::store_floats(to, columns, sums);
}

/* `x` is what was normalised: the stored sum where there is a residual. Values are unpacked twice, so that
 * enough threads fit to keep memory busy. InShared: norm_backward_shared() bytes of dynamic shared memory. */
#pragma gpuprof region("norm.backward") phase(backward) category(norm)
template <NormKind Kind, bool Residual, RowLayout Layout, int Packs, typename Element, bool InShared = false>
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
  extern __shared__ float4 column_sum[];
  float4 *of_team = column_sum + (threadIdx.y * kArrays * (Part::kLanes / 4)) * blockDim.x;
  const float zero = __uint_as_float(row_zero());
  ColumnSums<Part::kLanes, InShared> dgamma_sums, dbeta_sums;
  dgamma_sums.begin(of_team, zero);
  if (Kind == LayerNorm)
    dbeta_sums.begin(of_team + Part::kLanes / 4 * blockDim.x, zero);
  scale.load(gamma, shape.columns);
  if (row < shape.rows) {
    next_dy.load(dy + row * shape.stride, shape.columns);
    next_x.load(x + row * shape.stride, shape.columns);
    next_mean = Kind == LayerNorm ? mean[row] : 0.0f, next_rstd = rstd[row];
  }
  for (; row < shape.rows; row += step) {
    float g[Part::kLanes], v[Part::kLanes], scales[Part::kLanes], other[Part::kLanes];
    const Part now_dy = next_dy, now_x = next_x;
    const float row_mean = next_mean, r = next_rstd;
    if (Residual)
      added.load(dresidual + row * shape.stride, shape.columns);
    if (row + step < shape.rows) {
      next_dy.load(dy + (row + step) * shape.stride, shape.columns);
      next_x.load(x + (row + step) * shape.stride, shape.columns);
      next_mean = Kind == LayerNorm ? mean[row + step] : 0.0f, next_rstd = rstd[row + step];
    }
    float first = zero, second = zero;
    now_dy.read_packed(g);
    now_x.read_packed(v);
    scale.read_packed(scales);
#pragma unroll
    for (int q = 0; q < Part::kLanes; q += 4) {
      float dgamma[4], dbeta[4];
      dgamma_sums.get(q, dgamma);
      if (Kind == LayerNorm)
        dbeta_sums.get(q, dbeta);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int k = q + i;
        const float normal = (Kind == LayerNorm ? v[k] - row_mean : v[k]) * r;
        dgamma[i] = fmaf(g[k], normal, dgamma[i]);
        if (Kind == LayerNorm) {
          dbeta[i] = dbeta[i] + g[k];
          first = fmaf(g[k], scales[k], first);
        }
        second = fmaf(g[k] * scales[k], normal, second);
      }
      dgamma_sums.put(q, dgamma);
      if (Kind == LayerNorm)
        dbeta_sums.put(q, dbeta);
    }
    if (Kind == LayerNorm)
      team_sums(first, second, shared);
    else
      second = team_sum(second, shared);
    const float offset = -__fmul_rn(__fmul_rn(first, shape.inverse), r);
    const float slope = -__fmul_rn(__fmul_rn(second, shape.inverse), __fmul_rn(r, r));
    now_dy.read_packed(g);
    now_x.read_packed(v);
    scale.read_packed(scales);
    if (Residual)
      added.read(other);
#pragma unroll
    for (int k = 0; k < Part::kLanes; ++k) {
      const float moved = Kind == LayerNorm ? fmaf(v[k] - row_mean, slope, offset) : __fmul_rn(v[k], slope);
      g[k] = fmaf(g[k] * scales[k], r, moved);
      if (Residual)
        g[k] = g[k] + other[k];
    }
    Part::store(dx + row * shape.stride, shape.columns, g);
  }
  __syncwarp(); // teams without a row load their sums like the others, and are not a case of their own
  float *own = partials + team * kArrays * shape.columns, sums[Part::kLanes];
  store_column_sums<Part>(own, shape.columns, dgamma_sums, sums);
  if (Kind == LayerNorm)
    store_column_sums<Part>(own + shape.columns, shape.columns, dbeta_sums, sums);
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

/* Teams of norm_backward with InShared, and its dynamic shared memory: above 48 KiB it takes cudaFuncSetAttribute(). */
inline RowTeams norm_backward_teams(uint64_t rows, uint64_t columns, uint64_t element_bytes,
                                    uint64_t blocks) {
  return row_teams(rows, columns, element_bytes, blocks, 3);
}
inline size_t norm_backward_shared(NormKind kind, const RowTeams &t, uint64_t element_bytes) {
  return (kind == LayerNorm ? 8 : 4) * row_lanes(t, element_bytes) * t.teams;
}

inline ClosedForm norm_backward_cost(NormKind kind, bool residual, const NormShape &shape, const RowTeams &t,
                                     uint64_t element_bytes, bool in_shared = false) {
  ClosedForm cost = {};
  const uint64_t rows = shape.rows, lanes = row_lanes(t, element_bytes), layer = kind == LayerNorm;
  const uint64_t matrix = element_bytes * rows * shape.columns, teams = (uint64_t)t.blocks * t.teams;
  cost.launches = 1;
  cost.threads = teams * t.threads;
  cost.add = rows * lanes * (3 * layer + residual);
  cost.mul = rows * ((4 - layer) * lanes + (3 + 2 * layer) * t.threads);
  cost.fma = rows * (3 + 2 * layer) * lanes;
  add_team_reductions(cost, t, rows, !layer, 0, layer);
  if (in_shared) {
    cost.shared_load += 4 * (1 + layer) * lanes * (rows + teams);
    cost.shared_store += 4 * (1 + layer) * lanes * (rows + teams);
  }
  cost.global_load =
      (2 + residual) * matrix + 4 * (1 + layer) * rows * t.threads + element_bytes * shape.columns * teams;
  cost.global_store = matrix + 4 * (1 + layer) * teams * shape.columns;
  cost.unique = (3 + residual) * matrix_bytes(rows, shape.columns, shape.stride, element_bytes) +
                sector_bytes_of(shape.columns, element_bytes) + (1 + layer) * sector_bytes(rows) +
                sector_bytes((1 + layer) * teams * shape.columns);
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
