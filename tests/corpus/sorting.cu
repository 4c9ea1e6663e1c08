// Prefix sums, histograms, sorts and selections.
#include "corpus.h"
#include <algorithm>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>

enum { N = 1000, BLOCK = 128, BINS = 50 };

__global__ void scan_hillis(const float *in, float *out, int n) {
  __shared__ float line[2][BLOCK];
  int t = threadIdx.x, i = blockIdx.x * BLOCK + t, from = 0;
  line[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < BLOCK; d *= 2) {
    line[1 - from][t] = line[from][t] + (t >= d ? line[from][t - d] : 0);
    from = 1 - from;
    __syncthreads();
  }
  if (i < n)
    out[i] = line[from][t];
}

/* Up and down a tree; exclusive. */
__global__ void scan_blelloch(const int *in, int *out, int n) {
  __shared__ int tree[2 * BLOCK];
  int t = threadIdx.x, first = blockIdx.x * 2 * BLOCK;
  for (int k = t; k < 2 * BLOCK; k += BLOCK)
    tree[k] = first + k < n ? in[first + k] : 0;
  for (int d = 1; d < 2 * BLOCK; d *= 2) {
    __syncthreads();
    int at = (t + 1) * d * 2 - 1;
    if (at < 2 * BLOCK)
      tree[at] += tree[at - d];
  }
  __syncthreads();
  if (t == 0)
    tree[2 * BLOCK - 1] = 0;
  for (int d = BLOCK; d > 0; d /= 2) {
    __syncthreads();
    int at = (t + 1) * d * 2 - 1;
    if (at < 2 * BLOCK) {
      int left = tree[at - d];
      tree[at - d] = tree[at];
      tree[at] += left;
    }
  }
  __syncthreads();
  for (int k = t; k < 2 * BLOCK; k += BLOCK)
    if (first + k < n)
      out[first + k] = tree[k];
}

__global__ void scan_warps(const float *in, float *out, float *totals, int n) {
  __shared__ float warps[BLOCK / 32];
  int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float x = i < n ? in[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    float left = __shfl_up_sync(~0u, x, d);
    if (lane >= d)
      x += left;
  }
  if (lane == 31)
    warps[warp] = x;
  __syncthreads();
  for (int w = 0; w < warp; w++)
    x += warps[w];
  if (i < n)
    out[i] = x;
  if (threadIdx.x == BLOCK - 1)
    totals[blockIdx.x] = x;
}

__global__ void scan_add(float *out, const float *totals, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float before = 0;
  for (int b = 0; b < blockIdx.x; b++)
    before += totals[b];
  if (i < n)
    out[i] += before;
}

__global__ void scan_cub(const int *in, int *out, int n) {
  using Scan = cub::BlockScan<int, BLOCK>;
  __shared__ typename Scan::TempStorage storage;
  int i = blockIdx.x * BLOCK + threadIdx.x, x = i < n ? in[i] : 0;
  Scan(storage).InclusiveSum(x, x);
  if (i < n)
    out[i] = x;
}

__global__ void histogram_global(const unsigned char *in, unsigned *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i]], 1u);
}

__global__ void histogram_shared(const unsigned char *in, unsigned *bins, int n) {
  __shared__ unsigned own[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[in[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    if (own[b])
      atomicAdd(&bins[b], own[b]);
}

/* A weighted one, of floats. */
__global__ void histogram_weighted(const unsigned char *in, const float *weight, float *bins, int n) {
  __shared__ float own[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    own[b] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&own[in[i]], weight[i]);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    bins[b] = own[b];
}

/* A digit of four bits: how many each block has of each. */
__global__ void radix_count(const unsigned *in, unsigned *count, int n, int shift) {
  __shared__ unsigned own[16];
  if (threadIdx.x < 16)
    own[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&own[in[i] >> shift & 15], 1u);
  __syncthreads();
  if (threadIdx.x < 16)
    count[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

__global__ void radix_offsets(unsigned *count, int n) {
  unsigned before = 0;
  for (int i = 0; i < n; i++) {
    unsigned c = count[i];
    count[i] = before;
    before += c;
  }
}

/* Stable: a thread finds its rank by ballots of the digit's bits. */
__global__ void radix_scatter(const unsigned *in, unsigned *out, const unsigned *offset, int n, int shift) {
  __shared__ unsigned warps[BLOCK / 32][16];
  int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  bool in_range = i < n;
  unsigned key = in_range ? in[i] : 0, digit = key >> shift & 15, peers = __ballot_sync(~0u, in_range);
  for (int b = 0; b < 4; b++) {
    unsigned with = __ballot_sync(~0u, digit >> b & 1);
    peers &= digit >> b & 1 ? with : ~with;
  }
  unsigned rank = __popc(peers & ((1u << lane) - 1));
  if (lane < 16)
    warps[warp][lane] = 0;
  __syncwarp();
  if (in_range && rank == 0)
    warps[warp][digit] = __popc(peers);
  __syncthreads();
  for (int w = 0; w < warp; w++)
    rank += warps[w][digit];
  if (in_range)
    out[offset[digit * gridDim.x + blockIdx.x] + rank] = key;
}

__global__ void radix_cub(const unsigned *in, unsigned *out) {
  using Sort = cub::BlockRadixSort<unsigned, 64, 2>;
  __shared__ typename Sort::TempStorage storage;
  unsigned keys[2] = {in[blockIdx.x * 128 + threadIdx.x * 2], in[blockIdx.x * 128 + threadIdx.x * 2 + 1]};
  Sort(storage).Sort(keys, 0, 8);
  out[blockIdx.x * 128 + threadIdx.x * 2] = keys[0];
  out[blockIdx.x * 128 + threadIdx.x * 2 + 1] = keys[1];
}

__global__ void bitonic_block(float *x) {
  __shared__ float line[2 * BLOCK];
  int t = threadIdx.x;
  float *own = x + blockIdx.x * 2 * BLOCK;
  line[t] = own[t];
  line[t + BLOCK] = own[t + BLOCK];
  for (int size = 2; size <= 2 * BLOCK; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int at = 2 * t - (t & (stride - 1));
      bool up = (at & size) == 0;
      float a = line[at], b = line[at + stride];
      if ((a > b) == up) {
        line[at] = b;
        line[at + stride] = a;
      }
    }
  __syncthreads();
  own[t] = line[t];
  own[t + BLOCK] = line[t + BLOCK];
}

__global__ void bitonic_warp(const int *in, int *out) {
  int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
  for (int size = 2; size <= 32; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      int other = __shfl_xor_sync(~0u, x, stride);
      bool smaller = ((lane & stride) == 0) == ((lane & size) == 0 || size == 32);
      x = smaller ? min(x, other) : max(x, other);
    }
  out[i] = x;
}

__global__ void bitonic_step(int *x, int size, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ stride;
  if (other > i && (x[i] > x[other]) == ((i & size) == 0)) {
    int t = x[i];
    x[i] = x[other];
    x[other] = t;
  }
}

__global__ void odd_even(int *x, int n, int phase) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
  if (i + 1 < n && x[i] > x[i + 1]) {
    int t = x[i];
    x[i] = x[i + 1];
    x[i + 1] = t;
  }
}

/* Each finds its place among the sorted numbers of another. */
__global__ void merge_ranks(const int *a, const int *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 * n)
    return;
  bool first = i < n;
  const int *other = first ? b : a;
  int own = first ? a[i] : b[i - n], low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (first ? other[middle] < own : other[middle] <= own)
      low = middle + 1;
    else
      high = middle;
  }
  out[(first ? i : i - n) + low] = own;
}

__global__ void select_positive(const float *in, float *out, int *count, int n) {
  __shared__ int here, base;
  if (threadIdx.x == 0)
    here = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, place = -1;
  if (i < n && in[i] > 0)
    place = atomicAdd(&here, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    base = atomicAdd(count, here);
  __syncthreads();
  if (place >= 0)
    out[base + place] = in[i];
}

/* Runs of equal keys: heads by a comparison with the left neighbour. */
__global__ void run_heads(const unsigned char *in, int *head, int n) {
  __shared__ unsigned char line[BLOCK + 1];
  int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
  if (i < n)
    line[t + 1] = in[i];
  if (t == 0)
    line[0] = i ? in[i - 1] : 255;
  __syncthreads();
  if (i < n)
    head[i] = line[t] != line[t + 1];
}

static void scans() {
  const int blocks = divided(N, BLOCK);
  Whole<float> in(N, -9, 9);
  Whole<int> ints(N, -9, 9);
  Buffer<float> out(N), totals(blocks);
  Buffer<int> out_int(N);
  auto before = [&](auto &x, int i, int size, bool own) {
    double s = 0;
    for (int j = i / size * size; j < i + own; j++)
      s += x[j];
    return s;
  };
  scan_hillis<<<blocks, BLOCK>>>(in.device, out.device, N);
  check("scan_hillis", out, [&](int i) { return before(in, i, BLOCK, true); });
  scan_blelloch<<<divided(N, 2 * BLOCK), BLOCK>>>(ints.device, out_int.device, N);
  check("scan_blelloch", out_int, [&](int i) { return before(ints, i, 2 * BLOCK, false); });
  scan_warps<<<blocks, BLOCK>>>(in.device, out.device, totals.device, N);
  scan_add<<<blocks, BLOCK>>>(out.device, totals.device, N);
  check("scan_add", out, [&](int i) { return before(in, i, N, true); });
  scan_cub<<<blocks, BLOCK>>>(ints.device, out_int.device, N);
  check("scan_cub", out_int, [&](int i) { return before(ints, i, BLOCK, true); });

  // Seven rounds; in round d all but d threads add, and a select makes it all of them.
  counts("scan_add", {{"flops.fp32.add", N + (long long)BLOCK * (blocks - 1) * blocks / 2},
                      {"bytes.global.load", 4 * N + 4ll * BLOCK * (blocks - 1) * blocks / 2},
                      {"bytes.global.store", 4 * N}});
}

static void histograms() {
  Whole<unsigned char> in(N, 0, BINS - 1);
  Whole<float> weight(N, 1, 9);
  Buffer<unsigned> global(BINS), shared(BINS);
  Buffer<float> weighted(BINS);
  std::vector<double> expected(BINS), heavy(BINS);
  for (int i = 0; i < N; i++) {
    expected[in[i]]++;
    heavy[in[i]] += weight[i];
  }
  histogram_global<<<3, BLOCK>>>(in.device, global.device, N);
  check("histogram_global", global, [&](int b) { return expected[b]; });
  histogram_shared<<<3, BLOCK>>>(in.device, shared.device, N);
  check("histogram_shared", shared, [&](int b) { return expected[b]; });
  histogram_weighted<<<1, BLOCK>>>(in.device, weight.device, weighted.device, N);
  check("histogram_weighted", weighted, [&](int b) { return heavy[b]; });
  Buffer<int> heads(N);
  run_heads<<<divided(N, BLOCK), BLOCK>>>(in.device, heads.device, N);
  check("run_heads", heads, [&](int i) { return i == 0 || in[i] != in[i - 1]; });
  counts("histogram_global", {{"atomic_ops", N}, {"bytes.global.load", N}, {"bytes.global.atomic", 4 * N}});
  counts("run_heads", {{"bytes.global.load", N + divided(N, BLOCK) - 1},
                       {"bytes.global.store", 4 * N},
                       {"bytes.shared.load", 2 * N},
                       {"bytes.shared.store", N + divided(N, BLOCK)}});
}

static void sorts() {
  const int blocks = divided(N, BLOCK), whole = 1024;
  Buffer<unsigned> keys(N), sorted(N), count(16 * blocks);
  Random random;
  for (int i = 0; i < N; i++)
    keys[i] = random.below(256);
  keys.up();
  std::vector<unsigned> expected = keys.host;
  std::sort(expected.begin(), expected.end());
  Buffer<unsigned> chunks(N / 128 * 128);
  radix_cub<<<N / 128, 64>>>(keys.device, chunks.device);
  std::vector<unsigned> by_chunk = keys.host;
  for (int c = 0; c < N / 128; c++)
    std::sort(by_chunk.begin() + c * 128, by_chunk.begin() + (c + 1) * 128);
  check("radix_cub", chunks, [&](int i) { return by_chunk[i]; });
  unsigned *from = keys.device, *to = sorted.device;
  for (int shift = 0; shift < 8; shift += 4) {
    radix_count<<<blocks, BLOCK>>>(from, count.device, N, shift);
    radix_offsets<<<1, 1>>>(count.device, 16 * blocks);
    radix_scatter<<<blocks, BLOCK>>>(from, to, count.device, N, shift);
    std::swap(from, to);
  }
  check("radix_scatter", keys, [&](int i) { return expected[i]; }); // two passes: back where it began

  Floats line(whole);
  std::vector<float> floats = line.host;
  for (int b = 0; b < whole / 256; b++)
    std::sort(floats.begin() + b * 256, floats.begin() + (b + 1) * 256);
  bitonic_block<<<whole / 256, BLOCK>>>(line.device);
  check("bitonic_block", line, [&](int i) { return floats[i]; });
  Whole<int> ints(whole, -500, 500), pairs(101, -50, 50);
  Buffer<int> by_warp(whole), merged(whole);
  std::vector<int> warps = ints.host, all = ints.host, odd = pairs.host;
  for (int w = 0; w < whole / 32; w++)
    std::sort(warps.begin() + w * 32, warps.begin() + (w + 1) * 32);
  std::sort(all.begin(), all.end());
  bitonic_warp<<<whole / BLOCK, BLOCK>>>(ints.device, by_warp.device);
  check("bitonic_warp", by_warp, [&](int i) { return warps[i]; });
  for (int size = 2; size <= whole; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2)
      if (size == whole || size <= 4) // the first and the last rounds on the device, the others on the host
        bitonic_step<<<whole / BLOCK, BLOCK>>>(ints.device, size, stride);
      else {
        ints.down();
        for (int i = 0; i < whole; i++)
          if ((i ^ stride) > i && (ints[i] > ints[i ^ stride]) == ((i & size) == 0))
            std::swap(ints[i], ints[i ^ stride]);
        ints.up();
      }
  check("bitonic_step", ints, [&](int i) { return all[i]; });
  for (int phase = 0; phase < 101; phase++)
    if (phase < 97) { // most on the host
      for (int i = phase % 2; i + 1 < 101; i += 2)
        if (odd[i] > odd[i + 1])
          std::swap(odd[i], odd[i + 1]);
      pairs.host = odd;
      pairs.up();
    } else
      odd_even<<<1, 64>>>(pairs.device, 101, phase % 2);
  pairs.down();
  EXPECT(std::is_sorted(pairs.host.begin(), pairs.host.end()));

  std::vector<int> halves(ints.host.begin(), ints.host.end());
  Buffer<int> a(whole / 2), b(whole / 2);
  for (int i = 0; i < whole; i++)
    (i % 2 ? a : b)[i / 2] = halves[i];
  a.up(), b.up();
  merge_ranks<<<whole / BLOCK, BLOCK>>>(a.device, b.device, merged.device, whole / 2);
  check("merge_ranks", merged, [&](int i) { return all[i]; });

  Floats values(N);
  Buffer<float> chosen(N);
  Buffer<int> number(1);
  select_positive<<<blocks, BLOCK>>>(values.device, chosen.device, number.device, N);
  number.down(), chosen.down();
  long long positive = 0;
  double sum = 0, got = 0;
  for (int i = 0; i < N; i++) {
    positive += values[i] > 0;
    sum += values[i] > 0 ? values[i] : 0;
    got += i < number[0] ? chosen[i] : 0;
  }
  EXPECT(number[0] == positive && near(got, sum));
  counts("bitonic_warp", {{"bytes.global.load", 4 * whole}, {"bytes.global.store", 4 * whole}});
  counts("radix_offsets",
         {{"bytes.global.load", 2 * 4 * 16 * blocks}, {"bytes.global.store", 2 * 4 * 16 * blocks}});
}

int main() {
  scans();
  histograms();
  sorts();
  return finish();
}
