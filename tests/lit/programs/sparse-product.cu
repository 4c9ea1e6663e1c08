// A sparse matrix times a vector, in compressed rows with a warp a row, and in the padded format ELL with a
// thread a row.
// RUN: %program_by_clones
#include "graph.h"

enum { ROWS = 300, DEGREE = 10 };

#pragma gpuprof region("spmv.rows")
__global__ void compressed_rows(const int *row, const int *column, const float *value, const float *x,
                                float *y) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= ROWS)
    return;
  float sum = 0;
  int end = row[r + 1];
  for (int e = row[r] + lane; e < end; e += 32)
    sum += value[e] * x[column[e]];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0)
    y[r] = sum;
}

#pragma gpuprof region("spmv.ell")
__global__ void ell(const int *column, const float *value, int width, const float *x, float *y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= ROWS)
    return;
  float sum = 0;
  for (int i = 0; i < width; i++) {
    int c = column[i * ROWS + r];
    if (c >= 0)
      sum += value[i * ROWS + r] * x[c];
  }
  y[r] = sum;
}

int main() {
  Graph g = make_graph(ROWS, DEGREE);
  int width = 0;
  for (int r = 0; r < ROWS; r++)
    width = std::max(width, g.degree(r));
  Buffer<int> row(ROWS + 1), column(g.edges()), padded_column((size_t)width * ROWS, -1);
  Buffer<float> value(g.edges()), padded_value((size_t)width * ROWS), x(ROWS), y(ROWS), z(ROWS);
  Random random;
  row.host = g.row;
  column.host = g.target;
  for (auto *values : {&value, &x})
    for (float &v : values->host)
      v = random.symmetric();
  for (int r = 0; r < ROWS; r++)
    for (int i = 0; i < g.degree(r); i++) {
      padded_column[i * ROWS + r] = column[row[r] + i];
      padded_value[i * ROWS + r] = value[row[r] + i];
    }
  for (auto *values : {&value, &padded_value, &x})
    values->up();
  for (auto *values : {&row, &column, &padded_column})
    values->up();
  compressed_rows<<<(ROWS + 3) / 4, 128>>>(row.device, column.device, value.device, x.device, y.device);
  ell<<<(ROWS + 63) / 64, 64>>>(padded_column.device, padded_value.device, width, x.device, z.device);
  y.down();
  z.down();
  for (int r = 0; r < ROWS; r++) {
    double sum = 0;
    for (int e = row[r]; e < row[r + 1]; e++)
      sum += (double)value[e] * x[column[e]];
    EXPECT(near(y[r], sum) && near(z[r], sum));
  }

  // Five sums a lane, the last one in lane 0 only, its only user.
  const long long elements = g.edges();
  counts("compressed_rows", {{"flops.fp32.fma", 2 * elements},
                             {"flops.fp32.add", ROWS * (4 * 32 + 1)},
                             {"bytes.global.load", 8 * 32 * ROWS + 12 * elements},
                             {"bytes.global.store", 4 * ROWS}});
  counts("ell", {{"flops.fp32.fma", 2 * elements},
                 {"bytes.global.load", 4 * (long long)width * ROWS + 8 * elements},
                 {"bytes.global.store", 4 * ROWS}});
  return finish();
}
