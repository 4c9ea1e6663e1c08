// Attention as written for Hopper: tiles by tensor maps, both products by wgmma, the second with its left
// matrix, the exponentials, in registers and the values by rows, and a softmax carried from tile to tile.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// 4 · 2 heads · 192² · 64; an exponential an element, and one a row and tile for the carried part, by each of four threads.
// RUN: %py %S/Inputs/kernel_has.py %t.json attend launches=1 flops.tensor.fp16=18874368 special_functions=78336
// CHECK: all right
#include "tensor_maps.h"
#include "warp_groups.h"

enum { Heads = 2, Length = 192, Width = 64, Tile = 64, TileBytes = Tile * Width * 2 };

#define PRODUCT(form, left, ...)                                                                             \
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" NAMES_32 "}, " left ", " form ";" : SUMS_32 : __VA_ARGS__)

static __device__ void scores(float (&d)[32], const unsigned char *q, const unsigned char *k) {
  fence_registers(d);
  begin_products();
  PRODUCT("%33, 0, 1, 1, 0, 0", "%32", "l"(descriptor(q, Bytes128, 16, 1024)), "l"(descriptor(k, Bytes128, 16, 1024)));
  for (int step = 1; step < Width / 16; step++)
    PRODUCT("%33, 1, 1, 1, 0, 0", "%32", "l"(descriptor(q + 32 * step, Bytes128, 16, 1024)),
            "l"(descriptor(k + 32 * step, Bytes128, 16, 1024)));
  end_products();
  fence_registers(d);
}

static __device__ unsigned pair(float low, float high) {
  unsigned both;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  return both;
}

static __device__ void add_values(float (&d)[32], const float (&p)[32], const unsigned char *v) {
  unsigned left[16];
  for (int i = 0; i < 16; i++)
    left[i] = pair(p[2 * i], p[2 * i + 1]);
  fence_registers(d);
  begin_products();
#pragma unroll
  for (int step = 0; step < Tile / 16; step++)
    PRODUCT("%36, 1, 1, 1, 1", "{%32,%33,%34,%35}", "r"(left[4 * step]), "r"(left[4 * step + 1]), "r"(left[4 * step + 2]),
            "r"(left[4 * step + 3]), "l"(descriptor(v + 2048 * step, Bytes128, 16, 1024)));
  end_products();
  fence_registers(d);
}

static __device__ float power(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// Among the four lanes of a row.
static __device__ float largest(float x) {
  x = fmaxf(x, __shfl_xor_sync(~0u, x, 1));
  return fmaxf(x, __shfl_xor_sync(~0u, x, 2));
}
static __device__ float total(float x) {
  x += __shfl_xor_sync(~0u, x, 1);
  return x + __shfl_xor_sync(~0u, x, 2);
}

__global__ void __launch_bounds__(128) attend(const __grid_constant__ TensorMap of_q, const __grid_constant__ TensorMap of_k,
                                              const __grid_constant__ TensorMap of_v, float *out, float scale) {
  alignas(1024) __shared__ unsigned char q[TileBytes], k[TileBytes], v[TileBytes];
  alignas(8) __shared__ unsigned long long barrier;
  const int head = blockIdx.y;
  if (threadIdx.x == 0)
    make_barrier(&barrier, 1);
  __syncthreads();
  float sums[32], most[2] = {-1e30f, -1e30f}, weight[2] = {0, 0};
  for (int i = 0; i < 32; i++)
    sums[i] = 0;
  for (int tile = 0; tile < Length / Tile; tile++) {
    if (threadIdx.x == 0) {
      expect(&barrier, tile ? 2 * TileBytes : 3 * TileBytes);
      if (tile == 0)
        load(q, &of_q, &barrier, 0, (int)blockIdx.x * Tile, head);
      load(k, &of_k, &barrier, 0, tile * Tile, head);
      load(v, &of_v, &barrier, 0, tile * Tile, head);
    }
    wait(&barrier, tile % 2);
    float p[32];
    for (int i = 0; i < 32; i++)
      p[i] = 0;
    scores(p, q, k);
    for (int half = 0; half < 2; half++) { // the thread's two rows
      float now = most[half];
      for (int i = 0; i < 32; i++)
        if (i / 2 % 2 == half)
          now = fmaxf(now, p[i] * scale);
      now = largest(now);
      const float before = power(most[half] - now);
      most[half] = now;
      float own = 0;
      for (int i = 0; i < 32; i++)
        if (i / 2 % 2 == half) {
          p[i] = power(p[i] * scale - now);
          own += p[i];
          sums[i] *= before;
        }
      weight[half] = weight[half] * before + own;
    }
    add_values(sums, p, v);
    __syncthreads(); // both tiles are free
  }
  for (int half = 0; half < 2; half++)
    weight[half] = 1 / total(weight[half]);
  for (int i = 0; i < 32; i++)
    out[(head * Length + blockIdx.x * Tile + sum_row(i)) * Width + sum_column(i)] = sums[i] * weight[i / 2 % 2];
}

static int number(int which, int head, int row, int column) { return (row * (5 + which) + column * 3 + row * column + head) % 9 - 4; }

static double exponential(double x) { // of numbers below 1
  double sum = 1, term = 1;
  const double part = x / 64;
  for (int i = 1; i < 20; i++)
    sum += term *= part / i;
  for (int i = 0; i < 6; i++)
    sum *= sum;
  return sum;
}

int main() {
  enum { Size = Heads * Length * Width };
  static Values<unsigned short, Size> given[3];
  static Values<float, Size> out;
  TensorMap maps[3];
  for (int which = 0; which < 3; which++) {
    for (int i = 0; i < Size; i++)
      given[which].host[i] = half_of(number(which, i / Width / Length, i / Width % Length, i % Width));
    given[which].write();
    Tensor t = dense(F16, 2, given[which].device, 3, {Width, Length, Heads}, {Width, Tile, 1});
    t.swizzle = Swizzle128;
    EXPECT(encode(&maps[which], t) == 0);
  }
  const double scale = 1.0 / 64;
  attend<<<dim3(Length / Tile, Heads), 128>>>(maps[0], maps[1], maps[2], out.device, (float)(scale * 1.4426950408889634));
  out.read();
  int wrong = 0;
  for (int head = 0; head < Heads; head++)
    for (int i = 0; i < Length; i++) {
      double weights[Length], all = 0, largest = -1e30;
      for (int j = 0; j < Length; j++) {
        weights[j] = 0;
        for (int c = 0; c < Width; c++)
          weights[j] += scale * number(0, head, i, c) * number(1, head, j, c);
        largest = weights[j] > largest ? weights[j] : largest;
      }
      for (int j = 0; j < Length; j++)
        all += weights[j] = exponential(weights[j] - largest);
      for (int c = 0; c < Width; c++) {
        double wanted = 0;
        for (int j = 0; j < Length; j++)
          wanted += weights[j] * number(2, head, j, c) / all;
        const double difference = out.host[(head * Length + i) * Width + c] - wanted;
        wrong += !(difference < 5e-3 && difference > -5e-3);
      }
    }
  EXPECT(!wrong);
  return finish();
}
