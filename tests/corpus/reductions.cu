// Reductions: shuffles, redux, groups, cub, inline PTX, fp64, the whole grid; the largest and the k largest.
#include "corpus.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;
enum { N = 3000, BLOCK = 128, ROWS = 20, COLUMNS = 150 };

__global__ void sum_interleaved(const float *in, float *out, int n) {
  __shared__ float part[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = 1; s < BLOCK; s *= 2) {
    if (t % (2 * s) == 0)
      part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0)
    atomicAdd(out, part[0]);
}

/* The last warp goes on alone. */
__global__ void sum_unrolled(const float *in, float *out, int n) {
  __shared__ float part[BLOCK];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * BLOCK * 2 + t; i < n; i += gridDim.x * BLOCK * 2)
    sum += in[i] + (i + BLOCK < n ? in[i + BLOCK] : 0);
  part[t] = sum;
  __syncthreads();
  if (t < 64)
    part[t] = sum = sum + part[t + 64];
  __syncthreads();
  if (t < 32) {
    sum += part[t + 32];
    for (int d = 16; d > 0; d /= 2)
      sum += __shfl_down_sync(~0u, sum, d);
    if (t == 0)
      atomicAdd(out, sum);
  }
}

__global__ void sum_float4(const float4 *in, float *out, int quarters) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quarters; i += gridDim.x * blockDim.x) {
    float4 v = in[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  for (int d = 1; d < 32; d *= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, sum);
}

__global__ void sum_double(const double *in, double *out, int n) {
  __shared__ double part[BLOCK / 32];
  double sum = 0;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
    sum += in[i];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(out, part[0] + part[1] + part[2] + part[3]);
}

__global__ void sum_kahan(const float *in, float *out, int each) {
  const float *x = in + (blockIdx.x * blockDim.x + threadIdx.x) * each;
  float sum = 0, lost = 0;
  for (int i = 0; i < each; i++) {
    float y = __fsub_rn(x[i], lost), t = __fadd_rn(sum, y);
    lost = __fsub_rn(__fsub_rn(t, sum), y);
    sum = t;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void redux_all(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i < n ? in[i] : 0;
  int sum = __reduce_add_sync(~0u, x), least = __reduce_min_sync(~0u, x), most = __reduce_max_sync(~0u, x);
  unsigned bits = __reduce_or_sync(~0u, (unsigned)x);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&out[0], sum);
    atomicMin(&out[1], least);
    atomicMax(&out[2], most);
    atomicOr((unsigned *)&out[3], bits);
  }
}

__global__ void group_reduce_int(const int *in, int *out, int n) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = cg::reduce(tile, i < n ? in[i] : 0, cg::plus<int>());
  if (tile.thread_rank() == 0)
    atomicAdd(out, sum);
}

__global__ void group_reduce_float(const float *in, float *out, int n) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = cg::reduce(tile, i < n ? in[i] : 0, cg::plus<float>());
  if (tile.thread_rank() == 0)
    atomicAdd(out, sum);
}

__global__ void group_reduce_most(const float *in, float *out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  __shared__ float part[BLOCK / 32];
  float most = cg::reduce(tile, in[blockIdx.x * BLOCK + block.thread_rank()], cg::greater<float>());
  if (tile.thread_rank() == 0)
    part[tile.meta_group_rank()] = most;
  block.sync();
  if (tile.meta_group_rank() == 0) {
    most = cg::reduce(tile, tile.thread_rank() < BLOCK / 32 ? part[tile.thread_rank()] : -INFINITY,
                      cg::greater<float>());
    if (tile.thread_rank() == 0)
      out[blockIdx.x] = most;
  }
}

/* Only the lanes of a branch. */
__global__ void group_coalesced(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) {
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0)
      atomicAdd(out, (int)active.size());
  }
}

__global__ void cub_block_sum(const float *in, float *out, int n) {
  using Reduce = cub::BlockReduce<float, BLOCK>;
  __shared__ typename Reduce::TempStorage storage;
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float sum = Reduce(storage).Sum(i < n ? in[i] : 0.0f);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

__global__ void cub_block_raking(const double *in, double *out, int n) {
  using Reduce = cub::BlockReduce<double, BLOCK, cub::BLOCK_REDUCE_RAKING>;
  __shared__ typename Reduce::TempStorage storage;
  int i = blockIdx.x * BLOCK + threadIdx.x;
  double sum = Reduce(storage).Sum(i < n ? in[i] : 0.0);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

__global__ void cub_warp_sum(const float *in, float *out, int n) {
  using Reduce = cub::WarpReduce<float>;
  __shared__ typename Reduce::TempStorage storage[BLOCK / 32];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float sum = Reduce(storage[threadIdx.x / 32]).Sum(i < n ? in[i] : 0.0f);
  if (threadIdx.x % 32 == 0)
    out[i / 32] = sum;
}

__global__ void shuffle_asm(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? in[i] : 0;
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    float other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(other) : "f"(sum), "r"(d));
    asm("add.f32 %0, %0, %1;" : "+f"(sum) : "f"(other));
  }
  if (threadIdx.x % 32 == 0)
    out[i / 32] = sum;
}

/* A predicate of the PTX says whether the lane exists; the sum is predicated with it. */
__global__ void scan_asm(const int *in, int *out) {
  int x = in[blockIdx.x * 32 + threadIdx.x];
#pragma unroll
  for (int d = 1; d < 32; d *= 2)
    asm volatile("{\n .reg .s32 r;\n .reg .pred p;\n shfl.sync.up.b32 r|p, %0, %1, 0, 0xffffffff;\n @p "
                 "add.s32 %0, r, %0;\n}"
                 : "+r"(x)
                 : "r"(d));
  out[blockIdx.x * 32 + threadIdx.x] = x;
}

__global__ void norm_half2(const __half2 *in, float *out, int pairs) {
  __half2 sum = __float2half2_rn(0);
  for (int i = threadIdx.x; i < pairs; i += 32)
    sum = __hfma2(in[blockIdx.x * pairs + i], in[blockIdx.x * pairs + i], sum);
  float2 both = __half22float2(sum);
  float all = both.x + both.y;
  for (int d = 16; d > 0; d /= 2)
    all += __shfl_xor_sync(~0u, all, d);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sqrtf(all);
}

__global__ void dot_product(const float *a, const float *b, float *out, int n) {
  __shared__ float part[BLOCK];
  float sum = 0;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
    sum += a[i] * b[i];
  part[threadIdx.x] = sum;
  for (int s = BLOCK / 2; s > 0; s /= 2) {
    __syncthreads();
    if (threadIdx.x < s)
      part[threadIdx.x] += part[threadIdx.x + s];
  }
  if (threadIdx.x == 0)
    atomicAdd(out, part[0]);
}

/* Sums of columns: threads of a row read neighbours, rows join in shared memory. */
__global__ void sum_columns(const float *in, float *out, int rows, int columns) {
  __shared__ float part[8][33];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32 + x;
  float sum = 0;
  if (column < columns)
    for (int row = y; row < rows; row += 8)
      sum += in[row * columns + column];
  part[y][x] = sum;
  __syncthreads();
  if (y == 0 && column < columns) {
    for (int k = 1; k < 8; k++)
      sum += part[k][x];
    out[column] = sum;
  }
}

__global__ void arg_max(const float *in, int *out, int columns) {
  __shared__ float values[BLOCK];
  __shared__ int places[BLOCK];
  int t = threadIdx.x, place = -1;
  float most = -INFINITY;
  for (int j = t; j < columns; j += BLOCK)
    if (in[blockIdx.x * columns + j] > most)
      most = in[blockIdx.x * columns + j], place = j;
  values[t] = most;
  places[t] = place;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s /= 2) {
    if (t < s && values[t + s] > values[t]) {
      values[t] = values[t + s];
      places[t] = places[t + s];
    }
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = places[0];
}

/* The four largest of a row, each found by a warp and then left out. */
__global__ void top_k(const float *in, float *value, int *place, int columns) {
  enum { K = 4, EACH = 5 };
  int lane = threadIdx.x, row = blockIdx.x;
  float own[EACH];
  for (int k = 0; k < EACH; k++)
    own[k] = k * 32 + lane < columns ? in[row * columns + k * 32 + lane] : -INFINITY;
  for (int rank = 0; rank < K; rank++) {
    float most = -INFINITY;
    int at = 0;
    for (int k = 0; k < EACH; k++)
      if (own[k] > most)
        most = own[k], at = k * 32 + lane;
    for (int d = 16; d > 0; d /= 2) {
      float other = __shfl_xor_sync(~0u, most, d);
      int other_at = __shfl_xor_sync(~0u, at, d);
      if (other > most || (other == most && other_at < at))
        most = other, at = other_at;
    }
    if (lane == 0) {
      value[row * K + rank] = most;
      place[row * K + rank] = at;
    }
    for (int k = 0; k < EACH; k++)
      if (at == k * 32 + lane)
        own[k] = -INFINITY;
  }
}

__global__ void mean_variance(const float *in, float *mean, float *variance, int columns) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int row = blockIdx.x;
  float sum = 0, squares = 0;
  for (int j = warp.thread_rank(); j < columns; j += 32) {
    float x = in[row * columns + j];
    sum += x;
    squares += x * x;
  }
  for (int d = warp.size() / 2; d > 0; d /= 2) {
    sum += warp.shfl_down(sum, d);
    squares += warp.shfl_down(squares, d);
  }
  if (warp.thread_rank() == 0) {
    float m = sum / columns;
    mean[row] = m;
    variance[row] = squares / columns - m * m;
  }
}

int main() {
  const int blocks = divided(N, BLOCK);
  Whole<float> in(N, -20, 20), other(N, -3, 3);
  Whole<int> ints(N, -50, 50);
  Buffer<double> doubles(N), sums_double(blocks), total_double(1);
  for (int i = 0; i < N; i++)
    doubles[i] = in[i];
  doubles.up();
  double sum = 0, dot = 0;
  long long isum = 0, positive = 0;
  int least = 0, most = 0, bits = 0;
  for (int i = 0; i < N; i++) {
    sum += in[i];
    dot += in[i] * other[i];
    isum += ints[i];
    positive += ints[i] > 0;
    least = std::min(least, ints[i]);
    most = std::max(most, ints[i]);
    bits |= ints[i];
  }
  auto total = [&](const char *name, double expected, auto launch) {
    Buffer<float> out(1);
    launch(out.device);
    check(name, out, [&](int) { return expected; });
  };
  total("sum_interleaved", sum, [&](float *out) { sum_interleaved<<<blocks, BLOCK>>>(in.device, out, N); });
  total("sum_unrolled", sum, [&](float *out) { sum_unrolled<<<5, BLOCK>>>(in.device, out, N); });
  total("sum_float4", sum, [&](float *out) { sum_float4<<<3, BLOCK>>>((float4 *)in.device, out, N / 4); });
  total("group_reduce_float", sum,
        [&](float *out) { group_reduce_float<<<blocks, BLOCK>>>(in.device, out, N); });
  total("dot_product", dot, [&](float *out) { dot_product<<<6, BLOCK>>>(in.device, other.device, out, N); });
  sum_double<<<4, BLOCK>>>(doubles.device, total_double.device, N);
  check("sum_double", total_double, [&](int) { return sum; });

  auto block_sum = [&](int i, int size) {
    double s = 0;
    for (int j = i * size; j < std::min<int>(N, (i + 1) * size); j++)
      s += in[j];
    return s;
  };
  auto parts = [&](const char *name, int size, auto launch) {
    Buffer<float> out(divided(N, size));
    launch(out.device);
    check(name, out, [&](int i) { return block_sum(i, size); });
  };
  parts("sum_kahan", 10, [&](float *out) { sum_kahan<<<3, 100>>>(in.device, out, 10); });
  parts("cub_block_sum", BLOCK, [&](float *out) { cub_block_sum<<<blocks, BLOCK>>>(in.device, out, N); });
  Buffer<float> lanes(blocks * 4);
  cub_warp_sum<<<blocks, BLOCK>>>(in.device, lanes.device, N);
  check("cub_warp_sum", lanes, [&](int i) { return block_sum(i, 32); });
  shuffle_asm<<<blocks, BLOCK>>>(in.device, lanes.device, N);
  check("shuffle_asm", lanes, [&](int i) { return block_sum(i, 32); });
  cub_block_raking<<<blocks, BLOCK>>>(doubles.device, sums_double.device, N);
  check("cub_block_raking", sums_double, [&](int i) { return block_sum(i, BLOCK); });

  Buffer<int> all(4), one(1), count(1), scanned(N / 32 * 32);
  redux_all<<<blocks, BLOCK>>>(ints.device, all.device, N);
  check("redux_all", all, [&](int i) { return i == 0 ? isum : i == 1 ? least : i == 2 ? most : bits; });
  group_reduce_int<<<blocks, BLOCK>>>(ints.device, one.device, N);
  check("group_reduce_int", one, [&](int) { return isum; });
  group_coalesced<<<blocks, BLOCK>>>(ints.device, count.device, N);
  check("group_coalesced", count, [&](int) { return positive; });
  scan_asm<<<N / 32, 32>>>(ints.device, scanned.device);
  check("scan_asm", scanned, [&](int i) {
    int s = 0;
    for (int j = i / 32 * 32; j <= i; j++)
      s += ints[j];
    return s;
  });

  Floats rows(ROWS * COLUMNS);
  Buffer<float> best(ROWS * 4), mean(ROWS), variance(ROWS), columns(COLUMNS), largest(ROWS);
  Buffer<int> where(ROWS), places(ROWS * 4);
  auto ranked = [&](int row, int rank) {
    std::vector<int> order(COLUMNS);
    for (int j = 0; j < COLUMNS; j++)
      order[j] = j;
    for (int r = 0; r <= rank; r++)
      for (int j = r + 1; j < COLUMNS; j++)
        if (rows[row * COLUMNS + order[j]] > rows[row * COLUMNS + order[r]])
          std::swap(order[r], order[j]);
    return order[rank];
  };
  arg_max<<<ROWS, BLOCK>>>(rows.device, where.device, COLUMNS);
  check("arg_max", where, [&](int row) { return ranked(row, 0); });
  top_k<<<ROWS, 32>>>(rows.device, best.device, places.device, COLUMNS);
  check("top_k", places, [&](int i) { return ranked(i / 4, i % 4); });
  group_reduce_most<<<ROWS, BLOCK>>>(rows.device, largest.device);
  check("group_reduce_most", largest, [&](int i) {
    float m = -1;
    for (int j = 0; j < BLOCK; j++)
      m = std::fmax(m, rows[i * BLOCK + j]);
    return m;
  });
  mean_variance<<<ROWS, 32>>>(rows.device, mean.device, variance.device, COLUMNS);
  auto moment = [&](int row, int power) {
    double m = 0;
    for (int j = 0; j < COLUMNS; j++)
      m += std::pow(rows[row * COLUMNS + j], power) / COLUMNS;
    return m;
  };
  check("mean_variance", mean, [&](int r) { return moment(r, 1); });
  check("mean_variance", variance, [&](int r) { return moment(r, 2) - moment(r, 1) * moment(r, 1); });
  sum_columns<<<divided(COLUMNS, 32), dim3(32, 8)>>>(rows.device, columns.device, ROWS, COLUMNS);
  check("sum_columns", columns, [&](int j) {
    double s = 0;
    for (int r = 0; r < ROWS; r++)
      s += rows[r * COLUMNS + j];
    return s;
  });
  Buffer<__half> half(ROWS * 150);
  Buffer<float> norms(ROWS);
  for (int i = 0; i < ROWS * 150; i++)
    half[i] = __float2half((float)(i % 5 - 2));
  half.up();
  norm_half2<<<ROWS, 32>>>((__half2 *)half.device, norms.device, 75);
  check("norm_half2", norms, [](int row) {
    double s = 0;
    for (int j = 0; j < 150; j++)
      s += std::pow((row * 150 + j) % 5 - 2, 2);
    return std::sqrt(s);
  });

  // A block of T threads makes T - 1 sums of two loads and a store.
  const long long trees = blocks * (BLOCK - 1);
  counts("sum_interleaved", {{"flops.fp32.add", trees},
                             {"flops.fp32.accumulate", blocks},
                             {"bytes.global.load", 4 * N},
                             {"bytes.global.atomic", 4 * blocks},
                             {"bytes.shared.load", 8 * trees + 4 * blocks},
                             {"bytes.shared.store", 4 * trees + 4 * blocks * BLOCK}});
  counts("sum_kahan",
         {{"flops.fp32.add", 4 * N}, {"bytes.global.load", 4 * N}, {"bytes.global.store", N / 10 * 4}});
  counts("redux_all", {{"atomic_ops", blocks * 4 * 4},
                       {"bytes.global.load", 4 * N},
                       {"bytes.global.atomic", blocks * 4 * 16}});
  counts("shuffle_asm", {{"flops.fp32.add", blocks * BLOCK * 5},
                         {"bytes.global.load", 4 * N},
                         {"bytes.global.store", blocks * BLOCK / 32 * 4}});
  counts("scan_asm", {{"bytes.global.load", N / 32 * 128}, {"bytes.global.store", N / 32 * 128}});
  counts("dot_product", {{"flops.fp32", 2 * N + 6 * (BLOCK - 1) + 6},
                         {"bytes.global.load", 8 * N},
                         {"bytes.global.atomic", 4 * 6},
                         {"bytes.shared.load", 6 * ((BLOCK - 1) * 8 + 4)},
                         {"bytes.shared.store", 6 * (2 * BLOCK - 1) * 4}});
  counts("sum_columns", {{"flops.fp32.add", ROWS * COLUMNS + 7 * COLUMNS},
                         {"bytes.global.load", 4 * ROWS * COLUMNS},
                         {"bytes.global.store", 4 * COLUMNS},
                         {"bytes.shared.load", 4 * 7 * COLUMNS},
                         {"bytes.shared.store", divided(COLUMNS, 32) * 1024}});
  return finish();
}
