// A kernel with barriers writing its parameter, a structure, runs as loops over its threads: each
// has a copy of its own. A kernel with a barrier in a function that is not inlined does, too.
// RUN: %clangxx -fplugin=%plugin -Rpass-missed=gpuprof %minicuda -I%S/Inputs -O2 %s -o %t %link 2> %t.remarks
// RUN: %FileCheck --allow-empty --check-prefix=REMARKS --input-file=%t.remarks %s
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// REMARKS-NOT: stack
// CHECK: all right
#include "lanes.h"

struct State {
  int values[8];
  int at;
};

__global__ void writes(State own, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  own.values[t % 8] += t;
  own.at = t;
  s[t] = own.values[(t + own.values[7]) % 8];
  __syncthreads();
  own.values[own.at % 8] += s[63 - t];
  __syncthreads();
  out[t] = own.values[t % 8] + 1000 * own.values[(t + 1) % 8];
}

__device__ __attribute__((noinline)) int neighbour(int *s, int value, int turn) {
  s[threadIdx.x] = value + turn;
  __syncthreads();
  int other = s[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  return other;
}

__global__ void calls(const int *in, int *out) {
  __shared__ int s[64];
  int v = in[threadIdx.x];
  for (int turn = 0; turn < 3; turn++)
    v = neighbour(s, v, turn);
  out[threadIdx.x] = v;
}

int main() {
  Values<int, 64> in, written, called;
  State start = {{1, 2, 3, 4, 5, 6, 7, 8}, -1};
  for (int i = 0; i < 64; i++)
    in.host[i] = i * i;
  in.write();
  writes<<<1, 64>>>(start, written.device);
  calls<<<1, 64>>>(in.device, called.device);
  written.read();
  called.read();
  int shared[64];
  State states[64];
  for (int t = 0; t < 64; t++) {
    states[t] = start;
    states[t].values[t % 8] += t;
    shared[t] = states[t].values[(t + states[t].values[7]) % 8];
  }
  for (int t = 0; t < 64; t++) {
    states[t].values[t % 8] += shared[63 - t];
    EXPECT(written.host[t] == states[t].values[t % 8] + 1000 * states[t].values[(t + 1) % 8]);
    EXPECT(called.host[t] == (t + 3) % 64 * ((t + 3) % 64) + 3);
  }
  return finish();
}
