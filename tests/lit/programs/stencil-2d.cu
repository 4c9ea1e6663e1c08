// Heat on a plate: a five-point stencil over a tile in shared memory with its halo, several steps.
// RUN: %program_by_clones
#include "program.h"
#include <utility>

enum { W = 100, H = 70, TILE = 16, STEPS = 4 };
static constexpr float K = 0.2f;

#pragma gpuprof region("heat")
__global__ void heat(const float *in, float *out) {
  __shared__ float tile[TILE + 2][TILE + 2];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
#pragma gpuprof region("heat.halo")
  for (int j = ty; j < TILE + 2; j += TILE)
    for (int i = tx; i < TILE + 2; i += TILE) {
      int fx = (int)blockIdx.x * TILE + i - 1, fy = (int)blockIdx.y * TILE + j - 1;
      if (fx >= 0 && fx < W && fy >= 0 && fy < H)
        tile[j][i] = in[fy * W + fx];
    }
  __syncthreads();
  if (x >= W || y >= H)
    return;
  float c = tile[ty + 1][tx + 1];
  if (x > 0 && x < W - 1 && y > 0 && y < H - 1)
    c += K * (tile[ty][tx + 1] + tile[ty + 2][tx + 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 2] - 4.0f * c);
  out[y * W + x] = c;
}

static void host_heat(const std::vector<float> &in, std::vector<float> &out) {
  out = in;
  for (int y = 1; y < H - 1; y++)
    for (int x = 1; x < W - 1; x++) {
      const float *c = &in[y * W + x];
      out[y * W + x] = *c + K * (c[-W] + c[W] + c[-1] + c[1] - 4.0f * *c);
    }
}

int main() {
  Buffer<float> a(W * H), b(W * H);
  for (int x = 0; x < W; x++)
    a[x] = 100;
  a.up();
  std::vector<float> host = a.host, next;
  const dim3 grid((W + TILE - 1) / TILE, (H + TILE - 1) / TILE), block(TILE, TILE);
  for (int step = 0; step < STEPS; step++) {
    heat<<<grid, block>>>(a.device, b.device);
    std::swap(a.device, b.device);
    host_heat(host, next);
    host.swap(next);
  }
  a.down();
  for (int i = 0; i < W * H; i++)
    EXPECT(near(a[i], host[i]));

  // Loaded elements of tiles, without halos and places outside of the plate.
  long long loaded = 0;
  for (int by = 0; by < (int)grid.y; by++)
    for (int bx = 0; bx < (int)grid.x; bx++)
      for (int y = by * TILE - 1; y <= (by + 1) * TILE; y++)
        for (int x = bx * TILE - 1; x <= (bx + 1) * TILE; x++)
          loaded += x >= 0 && x < W && y >= 0 && y < H;
  const long long all = STEPS * W * H, inner = STEPS * (W - 2) * (H - 2);
  // Of inner points: three additions, and two products, each fused with an addition.
  counts("heat", {{"flops.fp32.add", 3 * inner},
                  {"flops.fp32.fma", 2 * 2 * inner},
                  {"bytes.global.load", 4 * STEPS * loaded},
                  {"bytes.global.store", 4 * all},
                  {"bytes.shared.load", 4 * (all + 4 * inner)},
                  {"bytes.shared.store", 4 * STEPS * loaded}});
  counts("region:heat.halo",
         {{"bytes.global.load", 4 * STEPS * loaded}, {"bytes.shared.store", 4 * STEPS * loaded}});
  return finish();
}
