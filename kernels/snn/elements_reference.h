/* fp16 and bf16 elements on the host, by their definition: the required results of neurons.cuh's conversions.
 * Values are rounded to nearest even. Subnormal fp16 numbers are kept, overflow is infinite, NaN stays NaN.
 */
#ifndef GPUPROF_KERNELS_SNN_ELEMENTS_REFERENCE_H
#define GPUPROF_KERNELS_SNN_ELEMENTS_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* An element's largest error, relative to the value it was rounded from. */
#define FP16_ROUNDING 0x1p-11
#define BF16_ROUNDING 0x1p-8

inline double fp16_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                      : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                     : ldexp(fraction, -24);
  return bits >> 15 ? -size : size;
}

inline uint16_t fp16_bits(double value) {
  const uint16_t sign = signbit(value) ? 0x8000 : 0;
  const double size = fabs(value);
  if (size != size)
    return sign | 0x7e00;
  if (size >= 65520)
    return sign | 0x7c00;
  if (size == 0)
    return sign;
  int exponent;
  frexp(size, &exponent);                                /* size in [2^(exponent−1), 2^exponent) */
  const int unit = exponent < -13 ? -24 : exponent - 11; /* of the last place */
  const double places = nearbyint(ldexp(size, -unit));   /* up to 2048; the carry runs into the exponent */
  return sign | (uint16_t)(exponent < -13 ? places : places + 1024.0 * (exponent + 13));
}

inline double bf16_value(uint16_t bits) {
  const uint32_t word = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

inline uint16_t bf16_bits(float value) {
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  if (value != value)
    return (uint16_t)(word >> 16 | 0x40);
  return (uint16_t)((word + 0x7fff + (word >> 16 & 1)) >> 16);
}

#endif
