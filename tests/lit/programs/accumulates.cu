// Additions by atomics in global and shared memory, of floats, doubles and pairs of halves: each is a FLOP of its kind.
// Integer atomics, exchanges and compare-and-swaps are atomic operations; a loop around a swap adds by itself.
// RUN: %program
#include "program.h"

enum { THREADS = 256, WORDS = 32 };

#pragma gpuprof region("accumulates.shared")
__global__ void shared_sums(const float *in, float *out, double *total) {
  __shared__ float sums[WORDS];
  __shared__ double all;
  int t = threadIdx.x;
  if (t < WORDS)
    sums[t] = 0;
  if (t == 0)
    all = 0;
  __syncthreads();
  atomicAdd(&sums[t % WORDS], in[t]);
  if (t % 2)
    atomicAdd(&all, 1.0);
  __syncthreads();
  if (t < WORDS)
    out[t] = sums[t];
  if (t == 0)
    *total = all;
}

__global__ void global_sums(float *sum, double *total, float *vector, unsigned *pair) {
  atomicAdd(sum, 1.0f);
  atomicAdd(total, -1.0);
  asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(vector), "f"(1.0f) : "memory");
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(pair), "r"(0x3c004000) : "memory"); // 1 and 2
}

__global__ void integers(int *sum, unsigned *most, int *last) {
  atomicAdd(sum, 2);
  atomicMax(most, threadIdx.x);
  atomicExch(last, 7);
}

// One lane at a time, so that no swap fails: written out, and as an add and an exchange.
__global__ void by_hand(float *sum) {
  for (int turn = 0; turn < THREADS; ++turn) {
    if (threadIdx.x == turn) {
      int old = __float_as_int(*sum);
      atomicCAS((int *)sum, old, __float_as_int(__int_as_float(old) + 1.0f));
    }
    __syncthreads();
  }
}

int main() {
  Buffer<float> in(THREADS), out(WORDS), sum(1), vector(4), hand(1);
  Buffer<double> total(1), below(1);
  Buffer<unsigned> pair(1), most(1);
  Buffer<int> count(1), last(1);
  for (float &x : in.host)
    x = 3;
  in.up(), sum.up(), vector.up(), hand.up(), below.up(), pair.up(), most.up(), count.up(), last.up();
  shared_sums<<<1, THREADS>>>(in.device, out.device, total.device);
  global_sums<<<1, THREADS>>>(sum.device, below.device, vector.device, pair.device);
  integers<<<1, THREADS>>>(count.device, most.device, last.device);
  by_hand<<<1, THREADS>>>(hand.device);
  out.down(), total.down(), sum.down(), vector.down(), below.down(), pair.down(), most.down(), count.down();
  last.down(), hand.down();
  for (int i = 0; i < WORDS; i++)
    EXPECT(out[i] == 3 * THREADS / WORDS);
  EXPECT(total[0] == THREADS / 2 && sum[0] == THREADS && below[0] == -THREADS && hand[0] == THREADS);
  for (int i = 0; i < 4; i++)
    EXPECT(vector[i] == THREADS);
  EXPECT(pair[0] == 0x5c006000); // 256 and 512
  EXPECT(count[0] == 2 * THREADS && most[0] == THREADS - 1 && last[0] == 7);

  counts("shared_sums", {{"flops.fp32.accumulate", THREADS},
                         {"flops.fp64.accumulate", THREADS / 2},
                         {"bytes.global.load", 4 * THREADS},
                         {"bytes.global.store", 4 * WORDS + 8},
                         {"bytes.shared.load", 4 * WORDS + 8},
                         {"bytes.shared.store", 4 * WORDS + 8},
                         {"bytes.shared.atomic", 4 * THREADS + 8 * THREADS / 2}});
  counts("global_sums", {{"flops.fp32.accumulate", 5 * THREADS},
                         {"flops.fp64.accumulate", THREADS},
                         {"flops.fp16.accumulate", 2 * THREADS},
                         {"bytes.global.atomic", (4 + 8 + 16 + 4) * THREADS}});
  counts("integers", {{"atomic_ops", 3 * THREADS}, {"bytes.global.atomic", 12 * THREADS}});
  counts("by_hand", {{"flops.fp32.add", THREADS},
                     {"atomic_ops", THREADS},
                     {"bytes.global.load", 4 * THREADS},
                     {"bytes.global.atomic", 4 * THREADS}});
  return finish();
}
