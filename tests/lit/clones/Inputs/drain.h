/* A clone may count this kernel only if `amount` and `out` are different memory. In one memory the amount
 * is gone after the first turn, and a clone running behind the kernel finds nothing. 32 threads, amounts
 * of 3. Apart they load 4 * 32 numbers and store 3 * 32; in one memory they load 2 * 32 and store 32.
 */
#include "run.h"

__global__ void drain(const int *amount, int *out) {
  for (int i = 0; i < amount[threadIdx.x]; ++i)
    out[threadIdx.x] = 0;
}

struct Pair {
  int *out;
  const int *amount;
};
__global__ void drain_pair(Pair pair) {
  for (int i = 0; i < pair.amount[threadIdx.x]; ++i)
    pair.out[threadIdx.x] = 0;
}

static inline int *threes(int *memory) {
  int three[32];
  for (int &value : three)
    value = 3;
  OK(cudaMemcpy(memory, three, sizeof three, cudaMemcpyDefault));
  return memory;
}

static inline int *new_threes() {
  int *memory;
  OK(cudaMalloc(&memory, 32 * sizeof(int)));
  return threes(memory);
}
