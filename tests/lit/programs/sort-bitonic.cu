// A bitonic sorting network: short distances in shared memory, long ones in global memory.
// RUN: %program
#include "program.h"
#include <algorithm>

enum { N = 2048, TILE = 512 };

// One step of the network: the pair (i, i + distance), upwards where bit `size` of i is 0.
#pragma gpuprof region("bitonic.pair")
__device__ void order(unsigned *key, int i, int distance, bool upwards) {
  unsigned a = key[i], b = key[i + distance];
  if ((a > b) == upwards) {
    key[i] = b;
    key[i + distance] = a;
#pragma gpuprof count("exchanges", 1)
  }
}

#pragma gpuprof region("bitonic.shared")
__global__ void in_tiles(unsigned *keys, int smallest, int largest) {
  __shared__ unsigned tile[TILE];
  int t = threadIdx.x, base = blockIdx.x * TILE;
  tile[t] = keys[base + t];
  tile[t + TILE / 2] = keys[base + t + TILE / 2];
  for (int size = smallest; size <= largest; size *= 2) {
    for (int distance = size < TILE ? size / 2 : TILE / 2; distance > 0; distance /= 2) {
      __syncthreads();
      int i = 2 * t - (t & (distance - 1));
      order(tile, i, distance, ((base + i) & size) == 0);
    }
  }
  __syncthreads();
  keys[base + t] = tile[t];
  keys[base + t + TILE / 2] = tile[t + TILE / 2];
}

#pragma gpuprof region("bitonic.global")
__global__ void between_tiles(unsigned *keys, int size, int distance) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int i = 2 * t - (t & (distance - 1));
  order(keys, i, distance, (i & size) == 0);
}

// The same network on the host; returns how often keys change places in steps of this distance range.
static void host_steps(std::vector<unsigned> &keys, int size, long long *near_swaps, long long *far_swaps) {
  for (int distance = size / 2; distance > 0; distance /= 2)
    for (int t = 0; t < N / 2; t++) {
      int i = 2 * t - (t & (distance - 1));
      if ((keys[i] > keys[i + distance]) == ((i & size) == 0)) {
        std::swap(keys[i], keys[i + distance]);
        ++*(distance < TILE ? near_swaps : far_swaps);
      }
    }
}

int main() {
  Buffer<unsigned> keys(N);
  Random random;
  for (unsigned &key : keys.host)
    key = random.next();
  keys.up();
  std::vector<unsigned> network = keys.host, sorted = keys.host;
  std::sort(sorted.begin(), sorted.end());

  in_tiles<<<N / TILE, TILE / 2>>>(keys.device, 2, TILE);
  long long launches = 1, near_steps = 45, far_steps = 0; // 1 + 2 + ... + log2(TILE)
  for (int size = 2 * TILE; size <= N; size *= 2) {
    for (int distance = size / 2; distance >= TILE; distance /= 2, far_steps++)
      between_tiles<<<N / TILE, TILE / 2>>>(keys.device, size, distance);
    in_tiles<<<N / TILE, TILE / 2>>>(keys.device, size, size);
    launches++;
    near_steps += 9;
  }
  keys.down();
  long long near_swaps = 0, far_swaps = 0;
  for (int size = 2; size <= N; size *= 2)
    host_steps(network, size, &near_swaps, &far_swaps);
  EXPECT(keys.host == sorted && network == sorted);

  // Each step reads all keys, and writes the exchanged ones.
  counts("in_tiles", {{"bytes.global.load", 4 * N * launches},
                      {"bytes.global.store", 4 * N * launches},
                      {"bytes.shared.load", 4 * N * (near_steps + launches)},
                      {"bytes.shared.store", 4 * N * launches + 8 * near_swaps},
                      {"user_counters.exchanges", near_swaps}});
  counts("between_tiles", {{"bytes.global.load", 4 * N * far_steps},
                           {"bytes.global.store", 8 * far_swaps},
                           {"user_counters.exchanges", far_swaps}});
  return finish();
}
