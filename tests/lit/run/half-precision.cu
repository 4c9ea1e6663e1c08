// Half precision by the toolkit's header: comparisons, conversions, functions, rounding.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include <cuda_fp16.h>
#include "lanes.h"

// Comparisons, minimum and maximum of __half, NaN included.
namespace half_comparisons {
__global__ void compare(float x, float y, int *out) {
  __half a = __float2half(x), b = __float2half(y), nan = __float2half(NAN);
  out[0] = __hlt(a, b), out[1] = __heq(a, a), out[2] = __hge(a, b), out[3] = __hisnan(nan) != 0,
  out[4] = __hlt(a, nan);
  out[5] = (int)__half2float(__hmax(a, b)), out[6] = (int)__half2float(__hmin(a, b)),
  out[7] = (int)__half2float(__hmax(a, nan));
}

static void check() {
  Values<int, 8> out;
  compare<<<1, 1>>>(3, 5, out.device);
  out.read();
  const int e[8] = {1, 1, 0, 1, 0, 5, 3, 3};
  for (int i = 0; i < 8; i++)
    EXPECT(out.host[i] == e[i]);
}
} // namespace half_comparisons

// Float to half rounds to nearest even, overflows to infinity and keeps small numbers; half to integers.
namespace half_conversions {
__global__ void convert(const float *in, unsigned short *bits, int *integers) {
  __half h = __float2half_rn(in[threadIdx.x]);
  bits[threadIdx.x] = __half_as_ushort(h);
  integers[threadIdx.x] = __half2int_rz(h);
}

static void check() {
  Values<float, 7> in;
  Values<unsigned short, 7> bits;
  Values<int, 7> integers;
  const float v[7] = {1, 1 + 0x1p-11f, 1 + 3 * 0x1p-11f, 65504, 1e6f, 0x1p-24f, -2.75f};
  const unsigned short e[7] = {0x3c00, 0x3c00, 0x3c02, 0x7bff, 0x7c00, 1, 0xc180};
  memcpy(in.host, v, sizeof v);
  in.write();
  convert<<<1, 7>>>(in.device, bits.device, integers.device);
  bits.read(), integers.read();
  for (int i = 0; i < 7; i++)
    EXPECT(bits.host[i] == e[i]);
  EXPECT(integers.host[0] == 1 && integers.host[3] == 65504 && integers.host[6] == -2);
}
} // namespace half_conversions

// Square root, exponential and relatives of __half and of __half2.
namespace half_functions {
__global__ void run(float *out) {
  __half x = __float2half(4.0f);
  out[0] = __half2float(hsqrt(x)), out[1] = __half2float(hexp2(x)), out[2] = __half2float(hlog2(x)),
  out[3] = __half2float(hrcp(x));
  out[4] = __high2float(h2sqrt(__halves2half2(x, __float2half(9.0f))));
}

static void check() {
  Values<float, 5> out;
  run<<<1, 1>>>(out.device);
  out.read();
  EXPECT(out.host[0] == 2 && out.host[1] == 16 && out.host[2] == 2 && out.host[3] == 0.25f &&
         out.host[4] == 3);
}
} // namespace half_functions

// hfloor, hceil, htrunc and hrint give whole numbers in half precision, of pairs too.
namespace half_rounding {
__global__ void run(const float *in, float *out) {
  __half x = __float2half(in[threadIdx.x]);
  float *o = out + 5 * threadIdx.x;
  o[0] = __half2float(hfloor(x)), o[1] = __half2float(hceil(x)), o[2] = __half2float(htrunc(x)),
  o[3] = __half2float(hrint(x));
  o[4] = __low2float(h2ceil(__half2half2(x)));
}

static void check() {
  Values<float, 3> in;
  Values<float, 15> out;
  const float v[3] = {2.5f, -1.75f, 3.5f}, e[15] = {2, 3, 2, 2, 3, -2, -1, -1, -2, -1, 3, 4, 3, 4, 4};
  memcpy(in.host, v, sizeof v);
  in.write();
  run<<<1, 3>>>(in.device, out.device);
  out.read();
  for (int i = 0; i < 15; i++)
    EXPECT(out.host[i] == e[i]);
}
} // namespace half_rounding

int main() {
  behaviour(half_comparisons::check);
  behaviour(half_conversions::check);
  behaviour(half_functions::check);
  behaviour(half_rounding::check);
  return finish();
}
