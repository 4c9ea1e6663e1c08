// A histogram of bytes: a private one a block in shared memory, four bytes a load, merged by atomics.
// RUN: %program
#include "program.h"

enum { BINS = 64, THREADS = 128, BLOCKS = 5, WORDS = 3000 };

__global__ void histogram(const unsigned *words, unsigned *bins) {
  __shared__ unsigned mine[BINS];
  for (int i = threadIdx.x; i < BINS; i += THREADS)
    mine[i] = 0;
  __syncthreads();
#pragma gpuprof region("histogram.count")
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < WORDS; i += BLOCKS * THREADS) {
    unsigned word = words[i];
    for (int b = 0; b < 4; b++)
      atomicAdd(&mine[word >> (8 * b + 2) & (BINS - 1)], 1);
  }
  __syncthreads();
#pragma gpuprof region("histogram.merge")
  for (int i = threadIdx.x; i < BINS; i += THREADS) {
    unsigned n = mine[i];
    if (n > 0)
      atomicAdd(&bins[i], n);
  }
}

int main() {
  Buffer<unsigned> words(WORDS), bins(BINS);
  Random random;
  for (unsigned &word : words.host) // only the lower half of the values: some bins stay empty
    word = random.next() & 0x7f7f7f7f;
  words.up();
  histogram<<<BLOCKS, THREADS>>>(words.device, bins.device);
  bins.down();
  std::vector<unsigned> expected(BINS);
  std::vector<char> filled(BLOCKS * BINS);
  for (int i = 0; i < WORDS; i++)
    for (int b = 0; b < 4; b++) {
      int bin = words[i] >> (8 * b + 2) & (BINS - 1);
      expected[bin]++;
      filled[i / THREADS % BLOCKS * BINS + bin] = 1;
    }
  EXPECT(bins.host == expected);

  long long merged = 0;
  for (char f : filled)
    merged += f;
  EXPECT(merged < BLOCKS * BINS);
  counts("region:histogram.count", {{"bytes.global.load", 4 * WORDS}, {"bytes.shared.atomic", 16 * WORDS}, {"atomic_ops", 4 * WORDS}});
  counts("region:histogram.merge",
         {{"bytes.shared.load", 4 * BLOCKS * BINS}, {"bytes.global.atomic", 4 * merged}, {"atomic_ops", merged}});
  counts("histogram", {{"bytes.global.load", 4 * WORDS},
                       {"bytes.global.atomic", 4 * merged},
                       {"bytes.shared.load", 4 * BLOCKS * BINS},
                       {"bytes.shared.store", 4 * BLOCKS * BINS},
                       {"bytes.shared.atomic", 16 * WORDS},
                       {"atomic_ops", 4 * WORDS + merged}});
  return finish();
}
