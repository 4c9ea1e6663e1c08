// wgmma with both matrices in shared memory: every swizzling mode, elements along k or across it, and sums kept or begun anew.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// 2 · 64 · 128 · 16 for each of 16 launches, twice.
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=16 flops.tensor.fp16=8388608 flops.total=8388608
// CHECK: all right
#include "warp_groups.h"

enum { M = 64, N = 128, K = 16 };

// Lines are rows of A or columns of B; `leading` and `stride` as the descriptor has them.
struct Layout {
  int across, swizzle, leading, stride;
  Layout(int across, int swizzle, int lines) : across(across), swizzle(swizzle) {
    const int span = span_of(swizzle);
    if (!across && swizzle == None)
      leading = 128, stride = 256; // tiles of 8 x 16 bytes, the two of k side by side
    else if (!across)
      leading = 16, stride = 8 * span;
    else if (swizzle == None)
      stride = 128, leading = lines / 8 * 128;
    else
      leading = 8 * span * 2, stride = 8 * span;
  }
  // Where element (line, k) lies.
  int place(int line, int k) const {
    const int span = span_of(swizzle), chunks = span / 16, chunk = line / 8;
    if (!across)
      return swizzled(swizzle, line % 8 * span + line / 8 * stride + k / 8 * (chunks == 1 ? leading : 16)) + k % 8 * 2;
    if (chunks == 1)
      return chunk * stride + k % 8 * 16 + k / 8 * leading + line % 8 * 2;
    return swizzled(swizzle, chunk % chunks * 16 + chunk / chunks * leading + k % 8 * span + k / 8 * stride) + line % 8 * 2;
  }
};

template <int AcrossA, int AcrossB>
__device__ void product(float (&d)[64], unsigned long long a, unsigned long long b, int keep) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" NAMES_64 "}, %64, %65, p, 1, 1, %67, %68; }"
               : SUMS_64
               : "l"(a), "l"(b), "r"(keep), "n"(AcrossA), "n"(AcrossB));
}

__global__ void multiply(const unsigned short *a, const unsigned short *b, float *out, Layout of_a, Layout of_b) {
  alignas(1024) __shared__ unsigned short left[4096], right[8192];
  for (int i = threadIdx.x; i < 4096; i += 128)
    left[i] = a[i];
  for (int i = threadIdx.x; i < 8192; i += 128)
    right[i] = b[i];
  publish();
  float d[64];
  for (int i = 0; i < 64; i++)
    d[i] = 1e30f; // not read
  const unsigned long long of_left = descriptor(left, of_a.swizzle, of_a.leading, of_a.stride);
  const unsigned long long of_right = descriptor(right, of_b.swizzle, of_b.leading, of_b.stride);
  for (int keep = 0; keep < 2; keep++) {
    fence_registers(d);
    begin_products();
    if (of_a.across && of_b.across)
      product<1, 1>(d, of_left, of_right, keep);
    else if (of_a.across)
      product<1, 0>(d, of_left, of_right, keep);
    else if (of_b.across)
      product<0, 1>(d, of_left, of_right, keep);
    else
      product<0, 0>(d, of_left, of_right, keep);
    end_products();
    fence_registers(d);
  }
  for (int i = 0; i < 64; i++)
    out[sum_row(i) * N + sum_column(i)] = d[i];
}

static int left_number(int i, int k) { return (i * 5 + k * 3) % 17 - 8; }
static int right_number(int k, int j) { return (j * 7 + k * 2) % 13 - 6; }

int main() {
  static Values<unsigned short, 4096> a;
  static Values<unsigned short, 8192> b;
  static Values<float, M * N> out;
  for (int which = 0; which < 4; which++)
    for (int swizzle = None; swizzle <= Bytes32; swizzle++) {
      const Layout of_a(which / 2, swizzle, M), of_b(which % 2, Bytes32 - swizzle, N);
      memset(a.host, 0xff, sizeof a.host); // NaN wherever nothing belongs
      memset(b.host, 0xff, sizeof b.host);
      for (int k = 0; k < K; k++) {
        for (int i = 0; i < M; i++)
          a.host[of_a.place(i, k) / 2] = half_of(left_number(i, k));
        for (int j = 0; j < N; j++)
          b.host[of_b.place(j, k) / 2] = half_of(right_number(k, j));
      }
      a.write(), b.write();
      multiply<<<1, 128>>>(a.device, b.device, out.device, of_a, of_b);
      out.read();
      int wrong = 0;
      for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
          int sum = 0;
          for (int k = 0; k < K; k++)
            sum += 2 * left_number(i, k) * right_number(k, j);
          wrong += out.host[i * N + j] != (float)sum;
        }
      if (wrong)
        printf("A %s, B %s, swizzles %d and %d: %d wrong\n", which / 2 ? "across" : "along", which % 2 ? "across" : "along",
               of_a.swizzle, of_b.swizzle, wrong);
      EXPECT(!wrong);
    }
  return finish();
}
