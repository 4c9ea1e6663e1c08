// Blelloch's scan: up and down a tree in shared memory, the sums of the blocks by the same kernel, and one
// addition each.
// RUN: %program
#include "program.h"

enum { BLOCKS = 12, THREADS = 128, TILE = 2 * THREADS, N = BLOCKS * TILE };

__global__ void scan(const float *in, float *out, float *sums) {
  __shared__ float s[TILE];
  int t = threadIdx.x;
  const float *from = in + blockIdx.x * TILE;
  s[2 * t] = from[2 * t];
  s[2 * t + 1] = from[2 * t + 1];
  int stride = 1;
#pragma gpuprof region("scan.up")
  for (int active = THREADS; active > 0; active /= 2) {
    __syncthreads();
    if (t < active) {
      int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
      s[right] += s[left];
    }
    stride *= 2;
  }
  if (t == 0) {
    if (sums)
      sums[blockIdx.x] = s[TILE - 1];
    s[TILE - 1] = 0;
  }
#pragma gpuprof region("scan.down")
  for (int active = 1; active <= THREADS; active *= 2) {
    stride /= 2;
    __syncthreads();
    if (t < active) {
      int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
      float a = s[left], b = s[right];
      s[left] = b;
      s[right] = a + b;
    }
  }
  __syncthreads();
  float *to = out + blockIdx.x * TILE;
  to[2 * t] = s[2 * t];
  to[2 * t + 1] = s[2 * t + 1];
}

__global__ void add_block_sums(float *out, const float *sums) {
  out[blockIdx.x * blockDim.x + threadIdx.x] += sums[blockIdx.x];
}

int main() {
  Buffer<float> in(N), out(N), sums(TILE);
  Random random;
  for (float &x : in.host)
    x = random.below(50);
  in.up();
  scan<<<BLOCKS, THREADS>>>(in.device, out.device, sums.device);
  scan<<<1, THREADS>>>(sums.device, sums.device, nullptr);
  add_block_sums<<<BLOCKS, TILE>>>(out.device, sums.device);
  out.down();
  float before = 0;
  for (int i = 0; i < N; i++) {
    EXPECT(out[i] == before);
    before += in[i];
  }

  // A tree over 2T leaves has 2T - 1 inner nodes, each an addition on the way up and on the way down.
  const long long tiles = BLOCKS + 1, nodes = TILE - 1;
  counts("scan", {{"flops.fp32.add", 2 * tiles * nodes},
                  {"bytes.global.load", 4 * tiles * TILE},
                  {"bytes.global.store", 4 * (tiles * TILE + BLOCKS)},
                  {"bytes.shared.load", 4 * (tiles * (4 * nodes + TILE) + BLOCKS)},
                  {"bytes.shared.store", 4 * tiles * (3 * nodes + TILE + 1)}});
  counts("region:scan.up", {{"flops.fp32.add", tiles * nodes},
                            {"bytes.shared.load", 8 * tiles * nodes},
                            {"bytes.shared.store", 4 * tiles * nodes}});
  counts("region:scan.down", {{"flops.fp32.add", tiles * nodes},
                              {"bytes.shared.load", 8 * tiles * nodes},
                              {"bytes.shared.store", 8 * tiles * nodes}});
  counts("add_block_sums",
         {{"flops.fp32.add", N}, {"bytes.global.load", 8 * N}, {"bytes.global.store", 4 * N}});
  return finish();
}
