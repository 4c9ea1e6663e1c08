// nvcuda::wmma in fp16: all three shapes, all layouts in memory, sums in fp32 and fp16, and a fragment changed element by
// element.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json region:products launches=6 flops.tensor.fp16=98304
// CHECK: all right
#include "lanes.h"
#include <mma.h>
using namespace nvcuda;

enum { LARGEST = 32 };

// D is written by rows and by columns; the fp16 sums are twice those of A * B.
template <int M, int N, class RowsA, class RowsB>
__global__ void multiply(const __half *a, const __half *b, const float *c, float *rows, float *columns, __half *narrow) {
  __shared__ __half x[LARGEST * LARGEST];
  wmma::fragment<wmma::matrix_a, M, N, 16, __half, RowsA> left;
  wmma::fragment<wmma::matrix_b, M, N, 16, __half, RowsB> right;
  wmma::fragment<wmma::accumulator, M, N, 16, float> sum, third;
  wmma::fragment<wmma::accumulator, M, N, 16, __half> small;
  for (int i = lane_id(); i < LARGEST * LARGEST; i += 32)
    x[i] = a[i];
  __syncwarp();
  wmma::load_matrix_sync(left, x, LARGEST);
  wmma::load_matrix_sync(right, b, LARGEST);
  wmma::load_matrix_sync(sum, c, LARGEST, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(rows, sum, LARGEST, wmma::mem_row_major);
  wmma::store_matrix_sync(columns, sum, LARGEST, wmma::mem_col_major);
  wmma::fill_fragment(third, 0.0f);
  wmma::fill_fragment(small, __float2half(0.0f));
  for (int i = 0; i < left.num_elements; i++)
    left.x[i] = __hadd(left.x[i], left.x[i]);
  wmma::mma_sync(small, left, right, small);
  wmma::store_matrix_sync(narrow, small, LARGEST, wmma::mem_row_major);
}

static Values<__half, LARGEST * LARGEST> a, b, narrow;
static Values<float, LARGEST * LARGEST> c, rows, columns;

static void check(int m, int n, bool rows_a, bool rows_b) {
  rows.read(), columns.read(), narrow.read();
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < 16; k++)
        sum += __half2float(a.host[rows_a ? i * LARGEST + k : k * LARGEST + i]) *
               __half2float(b.host[rows_b ? k * LARGEST + j : j * LARGEST + k]);
      EXPECT(rows.host[i * LARGEST + j] == sum + c.host[i * LARGEST + j]);
      EXPECT(columns.host[j * LARGEST + i] == sum + c.host[i * LARGEST + j]);
      EXPECT(__half2float(narrow.host[i * LARGEST + j]) == 2 * sum);
    }
}

template <int M, int N, class RowsA, class RowsB> static void run() {
  multiply<M, N, RowsA, RowsB><<<1, 32>>>(a.device, b.device, c.device, rows.device, columns.device, narrow.device);
  check(M, N, std::is_same<RowsA, wmma::row_major>::value, std::is_same<RowsB, wmma::row_major>::value);
}

int main() {
  for (int i = 0; i < LARGEST * LARGEST; i++) {
    a.host[i] = __float2half(i * 7 % 5 - 2);
    b.host[i] = __float2half(i * 11 % 7 - 3);
    c.host[i] = i % 100;
  }
  a.write(), b.write(), c.write();
#pragma gpuprof region("products")
  {
    run<16, 16, wmma::row_major, wmma::row_major>();
    run<16, 16, wmma::row_major, wmma::col_major>();
    run<16, 16, wmma::col_major, wmma::row_major>();
    run<16, 16, wmma::col_major, wmma::col_major>();
    run<32, 8, wmma::row_major, wmma::col_major>();
    run<8, 32, wmma::row_major, wmma::col_major>();
  }
  return finish();
}
