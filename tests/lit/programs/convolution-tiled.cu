// A convolution of an image with a 5 x 5 filter: the filter in constant memory, a tile with its halo in
// shared memory, and zeros around the image.
// RUN: %program
#include "program.h"

enum { W = 75, H = 50, RADIUS = 2, SIDE = 2 * RADIUS + 1, TILE = 16, HALO = TILE + 2 * RADIUS };

__constant__ float filter[SIDE * SIDE];

#pragma gpuprof region("convolution")
__global__ void convolve(const float *in, float *out) {
  __shared__ float tile[HALO][HALO];
  int x0 = (int)blockIdx.x * TILE - RADIUS, y0 = (int)blockIdx.y * TILE - RADIUS;
  for (int i = threadIdx.y * TILE + threadIdx.x; i < HALO * HALO; i += TILE * TILE) {
    int x = x0 + i % HALO, y = y0 + i / HALO;
    float value = 0;
    if (x >= 0 && x < W && y >= 0 && y < H)
      value = in[y * W + x];
    tile[i / HALO][i % HALO] = value;
  }
  __syncthreads();
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x >= W || y >= H)
    return;
  float sum = 0;
#pragma gpuprof region("convolution.filter")
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++)
      sum += filter[j * SIDE + i] * tile[threadIdx.y + j][threadIdx.x + i];
  out[y * W + x] = sum;
}

int main() {
  Buffer<float> in(W * H), out(W * H);
  float weights[SIDE * SIDE];
  Random random;
  for (float &w : weights)
    w = random.symmetric();
  for (float &x : in.host)
    x = random.unit();
  in.up();
  OK(cudaMemcpyToSymbol(filter, weights, sizeof weights));
  const dim3 grid((W + TILE - 1) / TILE, (H + TILE - 1) / TILE);
  convolve<<<grid, dim3(TILE, TILE)>>>(in.device, out.device);
  out.down();
  auto inside = [](int x, int y) { return x >= 0 && x < W && y >= 0 && y < H; };
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      double sum = 0;
      for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
          if (inside(x + i - RADIUS, y + j - RADIUS))
            sum += (double)weights[j * SIDE + i] * in[(y + j - RADIUS) * W + x + i - RADIUS];
      EXPECT(near(out[y * W + x], sum));
    }

  long long loaded = 0;
  for (int by = 0; by < (int)grid.y; by++)
    for (int bx = 0; bx < (int)grid.x; bx++)
      for (int j = 0; j < HALO; j++)
        for (int i = 0; i < HALO; i++)
          loaded += inside(bx * TILE + i - RADIUS, by * TILE + j - RADIUS);
  const long long blocks = grid.x * grid.y, taps = W * H * SIDE * SIDE;
  counts("region:convolution.filter",
         {{"flops.fp32.fma", 2 * taps}, {"bytes.constant.load", 4 * taps}, {"bytes.shared.load", 4 * taps}});
  counts("convolve", {{"flops.fp32.fma", 2 * taps},
                      {"bytes.constant.load", 4 * taps},
                      {"bytes.shared.load", 4 * taps},
                      {"bytes.shared.store", 4 * blocks * HALO * HALO},
                      {"bytes.global.load", 4 * loaded},
                      {"bytes.global.store", 4 * W * H}});
  return finish();
}
