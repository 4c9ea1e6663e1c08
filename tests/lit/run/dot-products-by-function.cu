// __dp4a, __dp2a_lo and __dp2a_hi of words and of vectors, and CUDA's names of numbers.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <math_constants.h>

enum { N = 16, Kinds = 8 };

__global__ void dot(const int *a, const int *b, int *out, float *numbers) {
  const int x = a[threadIdx.x], y = b[threadIdx.x];
  int *o = out + threadIdx.x * Kinds;
  *o++ = __dp4a(x, y, 5), *o++ = (int)__dp4a((unsigned)x, (unsigned)y, 5u);
  *o++ = __dp2a_lo(x, y, 5), *o++ = __dp2a_hi(x, y, 5), *o++ = (int)__dp2a_hi((unsigned)x, (unsigned)y, 5u);
  *o++ = __dp4a(__builtin_bit_cast(char4, x), __builtin_bit_cast(char4, y), 5);
  *o++ = __dp2a_lo(__builtin_bit_cast(short2, x), __builtin_bit_cast(char4, y), 5);
  *o++ = (int)__dp2a_hi(__builtin_bit_cast(ushort2, x), __builtin_bit_cast(uchar4, y), 5u);
  numbers[0] = CUDART_INF_F, numbers[1] = CUDART_PI_F, numbers[2] = CUDART_MAX_NORMAL_F;
}

int main() {
  Values<int, N> a, b;
  Values<int, N * Kinds> out;
  Values<float, 3> numbers;
  for (int i = 0; i < N; i++)
    a.host[i] = i * 0x1234567 ^ 0x80ff7f01, b.host[i] = i * 0x7654321 ^ 0xff8001fe;
  a.write(), b.write();
  dot<<<1, N>>>(a.device, b.device, out.device, numbers.device);
  out.read(), numbers.read();
  for (int i = 0; i < N; i++) {
    const int x = a.host[i], y = b.host[i], *o = out.host + i * Kinds;
    int four = 5, low = 5, high = 5;
    unsigned four_unsigned = 5, high_unsigned = 5;
    for (int k = 0; k < 4; k++) {
      four += (signed char)(x >> 8 * k) * (signed char)(y >> 8 * k);
      four_unsigned += (unsigned char)(x >> 8 * k) * (unsigned char)(y >> 8 * k);
    }
    for (int k = 0; k < 2; k++) {
      low += (short)(x >> 16 * k) * (signed char)(y >> 8 * k);
      high += (short)(x >> 16 * k) * (signed char)(y >> (8 * k + 16));
      high_unsigned += (unsigned short)(x >> 16 * k) * (unsigned char)(y >> (8 * k + 16));
    }
    EXPECT(o[0] == four && o[1] == (int)four_unsigned && o[2] == low && o[3] == high && o[4] == (int)high_unsigned);
    EXPECT(o[5] == four && o[6] == low && o[7] == (int)high_unsigned);
  }
  EXPECT(numbers.host[0] > 3.4e38f && numbers.host[1] == 3.14159274f && numbers.host[2] == 3.40282347e38f);
  return finish();
}
