// A convolution layer as a matrix product: its patches laid out as columns, then tiles of both matrices in
// shared memory.
// RUN: %program_by_clones
#include "program.h"

enum { IN = 3, OUT = 10, SIDE = 12, KERNEL = 3, RESULT = SIDE - KERNEL + 1 };
enum { M = OUT, K = IN * KERNEL * KERNEL, N = RESULT * RESULT, TILE = 8 };

#pragma gpuprof region("layer.columns")
__global__ void columns(const float *image, float *matrix) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= K * N)
    return;
  int row = i / N, column = i % N, channel = row / (KERNEL * KERNEL), dy = row / KERNEL % KERNEL,
      dx = row % KERNEL;
  int y = column / RESULT + dy, x = column % RESULT + dx;
  matrix[i] = image[(channel * SIDE + y) * SIDE + x];
}

#pragma gpuprof region("layer.product")
__global__ void product(const float *a, const float *b, const float *bias, float *c) { // c = a b + bias
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * TILE + tx, row = blockIdx.y * TILE + ty;
  float sum = 0;
  for (int k = 0; k < K; k += TILE) {
    float x = 0, y = 0;
    if (row < M && k + tx < K)
      x = a[row * K + k + tx];
    if (k + ty < K && column < N)
      y = b[(k + ty) * N + column];
    ta[ty][tx] = x;
    tb[ty][tx] = y;
    __syncthreads();
#pragma gpuprof region("layer.product.inner")
    for (int i = 0; i < TILE; i++)
      sum += ta[ty][i] * tb[i][tx];
    __syncthreads();
  }
  if (row < M && column < N) {
    float y = sum + bias[row];
    c[row * N + column] = y > 0 ? y : 0; // rectified
  }
}

int main() {
  Buffer<float> image(IN * SIDE * SIDE), weight(M * K), bias(M), matrix(K * N), out(M * N);
  Random random;
  for (auto *values : {&image, &weight, &bias}) {
    for (float &x : values->host)
      x = random.symmetric();
    values->up();
  }
  const dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
#pragma gpuprof region("layer") phase(forward)
  {
#pragma gpuprof expect flops(2.0 * M * N * K)
    columns<<<(K * N + 127) / 128, 128>>>(image.device, matrix.device);
    product<<<grid, dim3(TILE, TILE)>>>(weight.device, matrix.device, bias.device, out.device);
  }
  out.down();
  for (int o = 0; o < OUT; o++)
    for (int y = 0; y < RESULT; y++)
      for (int x = 0; x < RESULT; x++) {
        double sum = bias[o];
        for (int c = 0; c < IN; c++)
          for (int j = 0; j < KERNEL; j++)
            for (int i = 0; i < KERNEL; i++)
              sum += (double)weight[((o * IN + c) * KERNEL + j) * KERNEL + i] *
                     image[(c * SIDE + y + j) * SIDE + x + i];
        EXPECT(near(out[(o * RESULT + y) * RESULT + x], sum > 0 ? sum : 0));
      }

  // Tiles beyond the edge are computed whole: grid times tile, not M times N.
  const long long threads = (long long)grid.x * grid.y * TILE * TILE, tiles = (K + TILE - 1) / TILE;
  const long long inner = threads * tiles * TILE;
  counts("columns", {{"bytes.global.load", 4 * K * N}, {"bytes.global.store", 4 * K * N}});
  counts("product",
         {{"flops.fp32.fma", 2 * inner},
          {"flops.fp32.add", M * N},
          {"bytes.shared.load", 8 * inner},
          {"bytes.shared.store", 8 * threads * tiles},
          {"bytes.global.load", 4 * ((long long)grid.x * M * K + (long long)grid.y * K * N + M * N)},
          {"bytes.global.store", 4 * M * N}});
  counts("region:layer.product.inner", {{"flops.fp32.fma", 2 * inner}, {"bytes.shared.load", 8 * inner}});
  return finish();
}
