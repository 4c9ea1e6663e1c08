// A matrix product as written for Hopper: a warp copies tiles by tensor maps into a ring of buffers,
// two warp groups multiply them, and barriers in shared memory signal the progress of each side.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// 2 · 256 · 256 · 320
// RUN: %py %S/Inputs/kernel_has.py %t.json multiply launches=1 flops.tensor.fp16=41943040 flops.tensor_mma_sync.fp16=0 flops.total=41943040 bytes.global.store=262144
// CHECK: all right
#include "tensor_maps.h"
#include "warp_groups.h"

enum { M = 256, N = 256, K = 320, TileM = 128, TileN = 128, TileK = 64, Stages = 3, Groups = 2, Threads = Groups * 128 + 32 };
enum { BytesA = TileM * TileK * 2, BytesB = TileN * TileK * 2, StageBytes = BytesA + BytesB };

static __device__ void multiply_tile(float (&d)[64], unsigned long long a, unsigned long long b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" NAMES_64 "}, %64, %65, 1, 1, 1, 0, 0;"
               : SUMS_64
               : "l"(a), "l"(b));
}

__global__ void __launch_bounds__(Threads)
    multiply(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, float *c) {
  alignas(8) __shared__ unsigned long long full[Stages], empty[Stages];
  extern __shared__ __align__(1024) unsigned char buffers[];
  const int row = blockIdx.y * TileM, column = blockIdx.x * TileN, group = threadIdx.x / 128;
  if (threadIdx.x == 0)
    for (int s = 0; s < Stages; s++) {
      make_barrier(&full[s], 1);
      make_barrier(&empty[s], Groups);
    }
  __syncthreads();
  if (group == Groups) { // the last warp
    if (threadIdx.x % 32 == 0)
      for (int tile = 0; tile < K / TileK; tile++) {
        const int s = tile % Stages;
        unsigned char *to = buffers + s * StageBytes;
        wait(&empty[s], tile / Stages % 2 ^ 1);
        expect(&full[s], StageBytes);
        load(to, &a, &full[s], tile * TileK, row);
        load(to + BytesA, &b, &full[s], tile * TileK, column);
      }
    return;
  }
  float d[64];
  for (int i = 0; i < 64; i++)
    d[i] = 0;
  for (int tile = 0; tile < K / TileK; tile++) {
    const int s = tile % Stages;
    const unsigned char *from = buffers + s * StageBytes;
    wait(&full[s], tile / Stages % 2);
    fence_registers(d);
    begin_products();
    for (int k = 0; k < TileK / 16; k++)
      multiply_tile(d, descriptor(from + group * 64 * 128 + k * 32, Bytes128, 16, 1024),
                    descriptor(from + BytesA + k * 32, Bytes128, 16, 1024));
    end_products();
    fence_registers(d);
    if (threadIdx.x % 128 == 0)
      arrive(&empty[s]);
  }
  for (int i = 0; i < 64; i++)
    c[(row + group * 64 + sum_row(i)) * N + column + sum_column(i)] = d[i];
}

static int left_number(int i, int k) { return (i * 5 + k * 3 + i * k) % 9 - 4; }
static int right_number(int k, int j) { return (j * 7 + k * 2 + j * k) % 7 - 3; }

int main() {
  static Values<unsigned short, M * K> a;
  static Values<unsigned short, N * K> b; // by columns
  static Values<float, M * N> c;
  for (int k = 0; k < K; k++) {
    for (int i = 0; i < M; i++)
      a.host[i * K + k] = half_of(left_number(i, k));
    for (int j = 0; j < N; j++)
      b.host[j * K + k] = half_of(right_number(k, j));
  }
  a.write(), b.write();
  Tensor of_a = dense(F16, 2, a.device, 2, {K, M}, {TileK, TileM}), of_b = dense(F16, 2, b.device, 2, {K, N}, {TileK, TileN});
  of_a.swizzle = of_b.swizzle = Swizzle128;
  TensorMap map_a, map_b;
  EXPECT(encode(&map_a, of_a) == 0 && encode(&map_b, of_b) == 0);
  OK(cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, Stages * StageBytes));
  multiply<<<dim3(N / TileN, M / TileM), Threads, Stages * StageBytes>>>(map_a, map_b, c.device);
  c.read();
  int wrong = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int k = 0; k < K; k++)
        sum += left_number(i, k) * right_number(k, j);
      wrong += c.host[i * N + j] != (float)sum;
    }
  EXPECT(!wrong);
  return finish();
}
