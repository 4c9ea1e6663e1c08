// Lanes exchanging values through plain shared memory, without __syncwarp(), go in step where
// the addresses prove the exchange: transforms of 8 x 8 values, with 8 lanes of one warp.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -I%S/Inputs -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.json %t.fibers | %FileCheck %s
// CHECK: all right
#include "lanes.h"

enum { SIDE = 8, WIDTH = 32, STRIDE = WIDTH + 1 };

/* Four tiles side by side, a column a lane: prefix sums along the rows, then along the columns. */
__global__ void sumTiles(int *data) {
  __shared__ int tile[2 * SIDE * STRIDE];
  const unsigned x = threadIdx.x, row = SIDE * threadIdx.y, inTile = x & (SIDE - 1);
  int *column = &tile[row * STRIDE + x];
  int *line = &tile[(row + inTile) * STRIDE + x - inTile];
  data += row * WIDTH + x;
  for (unsigned i = 0; i < SIDE; i++)
    column[i * STRIDE] = data[i * WIDTH];
  int own[SIDE];
  for (unsigned i = 0; i < SIDE; i++)
    own[i] = line[i] + (i ? own[i - 1] : 0);
  for (unsigned i = 0; i < SIDE; i++)
    line[i] = own[i];
  for (unsigned i = 0; i < SIDE; i++)
    own[i] = column[i * STRIDE] + (i ? own[i - 1] : 0);
  for (unsigned i = 0; i < SIDE; i++)
    data[i * WIDTH] = own[i];
}

int main() {
  enum { ROWS = 2 * SIDE };
  Values<int, ROWS * WIDTH> data;
  int host[ROWS * WIDTH], expected[ROWS][WIDTH];
  for (int i = 0; i < ROWS * WIDTH; i++)
    host[i] = i * i % 101;
  cudaMemcpy(data.device, host, sizeof host, cudaMemcpyHostToDevice);
  sumTiles<<<1, dim3(WIDTH, 2)>>>(data.device);
  data.read();
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < WIDTH; x++) {
      const int left = x % SIDE ? expected[y][x - 1] : 0, above = y % SIDE ? expected[y - 1][x] : 0;
      const int corner = x % SIDE && y % SIDE ? expected[y - 1][x - 1] : 0;
      expected[y][x] = host[y * WIDTH + x] + left + above - corner;
      EXPECT(data.host[y * WIDTH + x] == expected[y][x]);
    }
  return finish();
}
