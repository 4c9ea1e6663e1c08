// The C library's functions take a float by their name in C++, without the f, and give a float.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link 2>%t.compile
// RUN: test ! -s %t.compile
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cmath>

/* name, argument */
#define FUNCTIONS(X)                                                                                         \
  X(acosh, 1.25f)                                                                                            \
  X(asinh, 0.25f)                                                                                            \
  X(atanh, 0.25f)                                                                                            \
  X(cbrt, 0.25f)                                                                                             \
  X(erf, 0.25f)                                                                                              \
  X(erfc, 0.25f)                                                                                             \
  X(exp2, 0.25f)                                                                                             \
  X(expm1, 0.25f)                                                                                            \
  X(lgamma, 0.25f)                                                                                           \
  X(log1p, 0.25f)                                                                                            \
  X(log2, 0.3f)                                                                                              \
  X(logb, 0.3f)                                                                                              \
  X(nearbyint, 2.5f)                                                                                         \
  X(rint, 2.5f)                                                                                              \
  X(round, 2.5f)                                                                                             \
  X(tgamma, 0.25f)                                                                                           \
  X(trunc, 2.5f)

/* name, arguments */
#define FUNCTIONS_OF_TWO(X)                                                                                  \
  X(copysign, 2.5f, -1.0f)                                                                                   \
  X(fdim, 2.5f, 1.0f)                                                                                        \
  X(fmax, 2.5f, 1.0f)                                                                                        \
  X(fmin, 2.5f, 1.0f)                                                                                        \
  X(hypot, 3.0f, 4.0f)                                                                                       \
  X(nextafter, 2.5f, 1.0f)                                                                                   \
  X(remainder, 2.5f, 1.0f)

template <class T> __device__ float of(T value) {
  static_assert(sizeof(T) == sizeof(float), "the function gives no float");
  return value;
}

__global__ void compute(float *got, float one) {
#define COMPUTE(name, a) *got++ = of(name(a * one));
  FUNCTIONS(COMPUTE)
#define COMPUTE_OF_TWO(name, a, b) *got++ = of(name(a * one, b * one));
  FUNCTIONS_OF_TWO(COMPUTE_OF_TWO)
  int quotient;
  *got++ = of(fma(one, 2.0f, 3.0f));
  *got++ = of(remquo(7.0f * one, 2.0f, &quotient));
  *got++ = quotient;
  *got++ = of(scalbn(one, 3)) + of(scalbln(one, 4L));
  *got++ =
      ilogb(8.0f * one) + lrint(2.5f * one) + lround(2.5f * one) + llrint(2.5f * one) + llround(2.5f * one);
  sincos(0.25f * one, got, got + 1);
  sincospi(0.25f * one, got + 2, got + 3);
}

int main() {
  Values<float, 64> got;
  compute<<<1, 1>>>(got.device, 1.0f);
  got.read();
  const float *value = got.host;
#define COMPARE(name, a) EXPECT(fabs(*value++ - std::name(a)) <= 2e-6f);
  FUNCTIONS(COMPARE)
#define COMPARE_OF_TWO(name, a, b) EXPECT(*value++ == std::name(a, b));
  FUNCTIONS_OF_TWO(COMPARE_OF_TWO)
  EXPECT(*value++ == 5);
  EXPECT(*value++ == -1);
  EXPECT(*value++ == 4);
  EXPECT(*value++ == 8 + 16);
  EXPECT(*value++ == 3 + 2 + 3 + 2 + 3);
  EXPECT(fabs(value[0] - sinf(0.25f)) <= 1e-6f && fabs(value[1] - cosf(0.25f)) <= 1e-6f);
  EXPECT(fabs(value[2] - sqrtf(0.5f)) <= 1e-6f && fabs(value[3] - sqrtf(0.5f)) <= 1e-6f);
  return finish();
}
