// Least significant digit radix sort of 16-bit keys, 4 bits a pass: histograms of blocks, a scan over all
// of them, and a stable scatter whose ranks come from votes of the warps.
// RUN: %program
#include "program.h"
#include <algorithm>

enum { BLOCKS = 8, THREADS = 128, N = BLOCKS * THREADS, DIGITS = 16, WARPS = THREADS / 32 };

__global__ void histograms(const unsigned *keys, unsigned *histogram, int shift) {
  __shared__ unsigned count[DIGITS];
  if (threadIdx.x < DIGITS)
    count[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&count[keys[blockIdx.x * THREADS + threadIdx.x] >> shift & (DIGITS - 1)], 1);
  __syncthreads();
  if (threadIdx.x < DIGITS)
    histogram[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x]; // digits are the slower index
}

// Exclusive sums over DIGITS * BLOCKS numbers, one a thread.
__global__ void offsets(unsigned *histogram) {
  __shared__ unsigned s[DIGITS * BLOCKS];
  int t = threadIdx.x;
  s[t] = histogram[t];
  for (int d = 1; d < DIGITS * BLOCKS; d *= 2) {
    __syncthreads();
    unsigned x = 0;
    if (t >= d)
      x = s[t - d];
    __syncthreads();
    s[t] += x;
  }
  __syncthreads();
  histogram[t] = t ? s[t - 1] : 0;
}

__global__ void scatter(const unsigned *keys, unsigned *sorted, const unsigned *offset, int shift) {
  __shared__ unsigned of_warp[WARPS][DIGITS];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  unsigned key = keys[blockIdx.x * THREADS + t], digit = key >> shift & (DIGITS - 1);
  unsigned same = ~0u;
#pragma gpuprof region("radix.rank")
  {
    for (int bit = 0; bit < 4; bit++) {
      unsigned vote = __ballot_sync(~0u, digit >> bit & 1);
      same &= digit >> bit & 1 ? vote : ~vote;
    }
    if (lane < DIGITS)
      of_warp[warp][lane] = 0;
    __syncwarp();
    if ((same & ((1u << lane) - 1)) == 0) // the first lane with this digit
      of_warp[warp][digit] = __popc(same);
  }
  __syncthreads();
  unsigned rank = offset[digit * gridDim.x + blockIdx.x] + __popc(same & ((1u << lane) - 1));
  for (int w = 0; w < warp; w++)
    rank += of_warp[w][digit];
  sorted[rank] = key;
}

int main() {
  Buffer<unsigned> keys(N), other(N), histogram(DIGITS * BLOCKS);
  Random random;
  for (unsigned &key : keys.host)
    key = random.next() >> 16;
  keys.up();
  std::vector<unsigned> host = keys.host;
  long long leaders = 0; // first lanes of their warp with a digit
  for (int shift = 0; shift < 16; shift += 4) {
    histograms<<<BLOCKS, THREADS>>>(keys.device, histogram.device, shift);
    offsets<<<1, DIGITS * BLOCKS>>>(histogram.device);
    scatter<<<BLOCKS, THREADS>>>(keys.device, other.device, histogram.device, shift);
    std::swap(keys.device, other.device);
    for (int warp = 0; warp < N / 32; warp++) {
      unsigned seen = 0;
      for (int lane = 0; lane < 32; lane++)
        seen |= 1u << (host[warp * 32 + lane] >> shift & (DIGITS - 1));
      leaders += __builtin_popcount(seen);
    }
    std::vector<unsigned> next;
    for (unsigned digit = 0; digit < DIGITS; digit++)
      for (unsigned key : host)
        if ((key >> shift & (DIGITS - 1)) == digit)
          next.push_back(key);
    host.swap(next);
  }
  keys.down();
  EXPECT(keys.host == host && std::is_sorted(host.begin(), host.end()));

  const long long passes = 4, tables = DIGITS * BLOCKS;
  counts("histograms", {{"bytes.global.load", 4 * passes * N},
                        {"bytes.global.store", 4 * passes * tables},
                        {"bytes.shared.load", 4 * passes * tables},
                        {"bytes.shared.store", 4 * passes * tables},
                        {"bytes.shared.atomic", 4 * passes * N},
                        {"atomic_ops", passes * N}});
  // The scan: 7 rounds of `tables` threads; threads t >= d read a neighbour: tables - 1, - 2, - 4, ...
  const long long rounds = 7, neighbours = rounds * tables - (tables - 1);
  counts("offsets", {{"bytes.global.load", 4 * passes * tables},
                     {"bytes.global.store", 4 * passes * tables},
                     {"bytes.shared.load", 4 * passes * (neighbours + rounds * tables + tables - 1)},
                     {"bytes.shared.store", 4 * passes * (1 + rounds) * tables}});
  // The scatter: each thread of warp w looks at w warps before it.
  counts("scatter", {{"bytes.global.load", 8 * passes * N},
                     {"bytes.global.store", 4 * passes * N},
                     {"bytes.shared.load", 4 * passes * N * (WARPS - 1) / 2},
                     {"bytes.shared.store", 4 * (passes * BLOCKS * WARPS * DIGITS + leaders)}});
  counts("region:radix.rank", {{"bytes.shared.store", 4 * (passes * BLOCKS * WARPS * DIGITS + leaders)}});
  return finish();
}
