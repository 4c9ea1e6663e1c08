// wgmma on matrices with swizzled patterns at any multiple of 128 bytes, given by the descriptor's base offset.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "warp_groups.h"

enum { M = 64, N = 64, K = 16, Row = 128, Places = 8, MatrixBytes = (M + Places) * Row };

__global__ void multiply(const unsigned short *a, const unsigned short *b, float *out, int row_a, int row_b) {
  alignas(1024) __shared__ unsigned short left[MatrixBytes / 2], right[MatrixBytes / 2];
  for (int i = threadIdx.x; i < MatrixBytes / 2; i += 128) {
    left[i] = a[i];
    right[i] = b[i];
  }
  publish();
  float d[32];
  for (int i = 0; i < 32; i++)
    d[i] = 0;
  const unsigned long long of_left = descriptor(left + row_a * Row / 2, Bytes128, 16, 8 * Row) | (unsigned long long)row_a << 49;
  const unsigned long long of_right = descriptor(right + row_b * Row / 2, Bytes128, 16, 8 * Row) | (unsigned long long)row_b << 49;
  fence_registers(d);
  begin_products();
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" NAMES_32 "}, %32, %33, 1, 1, 1, 0, 0;"
               : SUMS_32
               : "l"(of_left), "l"(of_right));
  end_products();
  fence_registers(d);
  for (int i = 0; i < 32; i++)
    out[sum_row(i) * N + sum_column(i)] = d[i];
}

static int left_number(int i, int k) { return (i * 5 + k * 3) % 17 - 8; }
static int right_number(int k, int j) { return (j * 7 + k * 2) % 13 - 6; }

int main() {
  static Values<unsigned short, MatrixBytes / 2> a, b;
  static Values<float, M * N> out;
  for (int row = 0; row < Places; row++) {
    const int row_b = (row * 3 + 1) % Places;
    memset(a.host, 0xff, sizeof a.host); // NaN wherever nothing belongs
    memset(b.host, 0xff, sizeof b.host);
    for (int line = 0; line < M; line++)
      for (int k = 0; k < K; k++) {
        const int place = swizzled(Bytes128, line * Row + k * 2);
        a.host[(row * Row + place) / 2] = half_of(left_number(line, k));
        b.host[(row_b * Row + place) / 2] = half_of(right_number(k, line));
      }
    a.write(), b.write();
    multiply<<<1, 128>>>(a.device, b.device, out.device, row, row_b);
    out.read();
    int wrong = 0;
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++) {
        int sum = 0;
        for (int k = 0; k < K; k++)
          sum += left_number(i, k) * right_number(k, j);
        wrong += out.host[i * N + j] != (float)sum;
      }
    if (wrong)
      printf("rows %d and %d: %d wrong\n", row, row_b, wrong);
    EXPECT(!wrong);
  }
  return finish();
}
