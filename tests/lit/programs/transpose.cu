// A matrix transposed through tiles in shared memory, with a column of padding, by blocks of 32 x 8
// threads.
// RUN: %program
#include "program.h"

enum { ROWS = 150, COLUMNS = 90, TILE = 32, STEP = 8 };

#pragma gpuprof region("transpose")
__global__ void transpose(const double *in, double *out) {
  __shared__ double tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += STEP)
    if (x < COLUMNS && y + i < ROWS)
      tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * COLUMNS + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += STEP)
    if (x < ROWS && y + i < COLUMNS)
      out[(y + i) * ROWS + x] = tile[threadIdx.x][threadIdx.y + i];
}

int main() {
  Buffer<double> in(ROWS * COLUMNS), out(ROWS * COLUMNS);
  for (size_t i = 0; i < in.size(); i++)
    in[i] = (double)i;
  in.up();
  transpose<<<dim3((COLUMNS + TILE - 1) / TILE, (ROWS + TILE - 1) / TILE), dim3(TILE, STEP)>>>(in.device,
                                                                                               out.device);
  out.down();
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLUMNS; c++)
      EXPECT(out[c * ROWS + r] == in[r * COLUMNS + c]);

  // No arithmetic; every element once through each memory and direction.
  const long long bytes = 8 * ROWS * COLUMNS;
  counts("transpose", {{"bytes.global.load", bytes},
                       {"bytes.global.store", bytes},
                       {"bytes.shared.load", bytes},
                       {"bytes.shared.store", bytes}});
  return finish();
}
