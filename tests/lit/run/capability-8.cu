// Features of compute capability 8.0, by the toolkit's headers: asynchronous copies, atomic operations on halves, dot products.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 --cuda-gpu-arch=sm_80 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include <cuda_pipeline.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "lanes.h"

// cp.async through __pipeline_memcpy_async: two stages in shared memory, waited for in turn.
namespace asynchronous_copies {
__global__ void copy(const float4 *in, float4 *out) {
  __shared__ float4 s[2][32];
  int t = threadIdx.x;
  for (int stage = 0; stage < 2; stage++) {
    __pipeline_memcpy_async(&s[stage][t], &in[32 * stage + t], sizeof(float4));
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  out[t] = s[0][31 - t];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[32 + t] = s[1][31 - t];
}

static void check() {
  Values<float4, 64> in, out;
  for (int i = 0; i < 64; i++)
    in.host[i] = make_float4(i, i + 0.25f, i + 0.5f, i + 0.75f);
  in.write();
  copy<<<1, 32>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 64; i++)
    EXPECT(out.host[i].w == (i / 32 * 32 + 31 - i % 32) + 0.75f);
}
} // namespace asynchronous_copies

// cp.async with fewer bytes of source than of destination fills the rest with zeros.
namespace asynchronous_copies_of_a_part {
__global__ void copy(const int4 *in, int4 *out, int n) {
  __shared__ int4 s[4];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(int4), 4 * n);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[t];
}

static void check() {
  Values<int4, 4> in, out;
  for (int i = 0; i < 4; i++)
    in.host[i] = make_int4(i + 1, i + 2, i + 3, i + 4);
  in.write();
  copy<<<1, 4>>>(in.device, out.device, 1);
  out.read();
  for (int i = 0; i < 4; i++)
    EXPECT(out.host[i].x == i + 1 && out.host[i].y == i + 2 && out.host[i].z == i + 3 && out.host[i].w == 0);
}
} // namespace asynchronous_copies_of_a_part

// atomicAdd of __half2, __half and __nv_bfloat162.
namespace atomic_half {
__global__ void add(__half2 *pair, __half *one, __nv_bfloat162 *b) {
  atomicAdd(pair, __floats2half2_rn(0.5f, 2.0f));
  atomicAdd(one, __float2half(1.0f));
  atomicAdd(b, __floats2bfloat162_rn(1.0f, -1.0f));
}

__global__ void read(const __half2 *pair, const __half *one, const __nv_bfloat162 *b, float *out) {
  out[0] = __low2float(*pair), out[1] = __high2float(*pair), out[2] = __half2float(*one);
  out[3] = __low2float(*b), out[4] = __high2float(*b);
}

static void check() {
  Values<unsigned, 3> cells;
  Values<float, 5> out;
  add<<<1, 64>>>((__half2 *)cells.device, (__half *)(cells.device + 1), (__nv_bfloat162 *)(cells.device + 2));
  read<<<1, 1>>>((__half2 *)cells.device, (__half *)(cells.device + 1), (__nv_bfloat162 *)(cells.device + 2),
                 out.device);
  out.read();
  EXPECT(out.host[0] == 32 && out.host[1] == 128 && out.host[2] == 64 && out.host[3] == 64 &&
         out.host[4] == -64);
}
} // namespace atomic_half

// __dp4a and __dp2a of the toolkit's headers.
namespace dot_products_by_intrinsic {
__global__ void dot(int *out) {
  out[0] = __dp4a(0x01020304, 0x05060708, 9);
  out[1] = __dp4a((int)0xff000000, 0x7f000000, 0);
  out[2] = (int)__dp4a(0xff000000u, 0x7f000000u, 0u);
  out[3] = __dp2a_lo(0x00020003, 0x00000405, 1);
  out[4] = __dp2a_hi(0x00020003, 0x04050000, 1);
}

static void check() {
  Values<int, 5> out;
  dot<<<1, 1>>>(out.device);
  out.read();
  EXPECT(out.host[0] == 5 + 12 + 21 + 32 + 9 && out.host[1] == -127 && out.host[2] == 255 * 127);
  EXPECT(out.host[3] == 2 * 4 + 3 * 5 + 1 && out.host[4] == 2 * 4 + 3 * 5 + 1);
}
} // namespace dot_products_by_intrinsic

int main() {
  behaviour(asynchronous_copies::check);
  behaviour(asynchronous_copies_of_a_part::check);
  behaviour(atomic_half::check);
  behaviour(dot_products_by_intrinsic::check);
  return finish();
}
