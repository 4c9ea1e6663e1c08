// A scan in one launch: each block adds up the published sums of the blocks before it, and waits for
// missing ones. The number of looks depends on timing, and is left out of the counts; all else is exact.
// RUN: %program
#include "program.h"

enum { BLOCKS = 40, THREADS = 128, N = BLOCKS * THREADS };
enum { SUM = 1, PREFIX = 2 }; // the published value of a block: its own sum, or the sum of all up to it

__device__ unsigned long long pack(unsigned state, unsigned value) {
  return (unsigned long long)state << 32 | value;
}

__global__ void scan(const unsigned *in, unsigned *out, unsigned *tickets,
                     volatile unsigned long long *published) {
  __shared__ unsigned tile, before, sums[THREADS / 32];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (t == 0)
    tile = atomicAdd(tickets, 1); // in the order of the blocks' starts: no block waits for one not started
  __syncthreads();
  unsigned own = tile, x = in[own * THREADS + t];
#pragma gpuprof region("scan.warp")
  for (int d = 1; d < 32; d *= 2) {
    unsigned y = __shfl_up_sync(~0u, x, d);
    if (lane >= d)
      x += y;
  }
  if (lane == 31)
    sums[warp] = x;
  __syncthreads();
  if (t == 0) {
    unsigned sum = 0;
    for (int w = 0; w < THREADS / 32; w++)
      sum += sums[w];
    unsigned all_before = 0;
    if (own > 0) {
      published[own] = pack(SUM, sum);
#pragma gpuprof ignore
      for (unsigned i = own - 1;;) {
        unsigned long long seen = published[i];
        unsigned state = (unsigned)(seen >> 32);
        if (state == 0)
          continue;
        all_before += (unsigned)seen;
        if (state == PREFIX)
          break;
        i--;
      }
    }
    published[own] = pack(PREFIX, all_before + sum);
    before = all_before;
  }
  __syncthreads();
  x += before;
  for (int w = 0; w < warp; w++)
    x += sums[w];
  out[own * THREADS + t] = x;
}

int main() {
  Buffer<unsigned> in(N), out(N), tickets(1);
  Buffer<unsigned long long> published(BLOCKS);
  Random random;
  for (unsigned &x : in.host)
    x = random.below(1000);
  in.up();
  scan<<<BLOCKS, THREADS>>>(in.device, out.device, tickets.device, published.device);
  out.down();
  unsigned sum = 0;
  for (int i = 0; i < N; i++) {
    sum += in[i];
    EXPECT(out[i] == sum);
  }

  // A block: its number and `before` are read by all, the four sums of warps by thread 0, and by warp w the w
  // before it.
  const long long warps = THREADS / 32, others = 32 * warps * (warps - 1) / 2;
  counts("scan", {{"bytes.global.load", 4 * N},
                  {"bytes.global.store", 4 * N + 8 * (2 * BLOCKS - 1)},
                  {"bytes.global.atomic", 4 * BLOCKS},
                  {"atomic_ops", BLOCKS},
                  {"bytes.shared.load", 4 * BLOCKS * (2 * THREADS + warps + others)},
                  {"bytes.shared.store", 4 * BLOCKS * (warps + 2)}});
  counts("region:scan.warp", {});
  return finish();
}
