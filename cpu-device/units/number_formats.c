// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Conversions without a processor instruction: 8-bit floating point, and the n-th set bit. */
#include "engine/entries.h"
#include "units/matrix.h"

#include <math.h>
#include <string.h>

/* The formats of OCP's 8-bit floating point: e4m3 has no infinity, its last code is NaN; e5m2 is a short IEEE
 * half. */
struct format {
  int mantissa, bias;
  float greatest;
  uint32_t infinity; /* the first unsigned code beyond the finite numbers */
};
static const struct format formats[] = {{3, 7, 448, 0x7f}, {2, 15, 57344, 0x7c}};

uint32_t __gpuprof_cpu_to_float8(uint32_t kind, uint32_t bits) {
  const struct format *to = &formats[kind & 1];
  float value;
  memcpy(&value, &bits, sizeof value);
  uint32_t sign = bits >> 31 << 7;
  float size = fabsf(value);
  if (isnan(value))
    return 0x7f;
  if (size == 0)
    return sign;
  if (size > to->greatest)
    return sign | (to->infinity - 1);
  int exponent = ilogbf(size);
  if (exponent < 1 - to->bias)
    exponent = 1 - to->bias; /* a subnormal number */
  uint32_t steps = (uint32_t)nearbyint(ldexp(size, to->mantissa - exponent));
  /* Rounding up to the next power of two carries into the exponent by itself. */
  uint32_t code = steps + ((uint32_t)(exponent + to->bias) << to->mantissa) - (1u << to->mantissa);
  return sign | code;
}

uint32_t __gpuprof_cpu_from_float8(uint32_t kind, uint32_t byte) {
  const struct format *from = &formats[kind & 1];
  uint32_t code = byte & 0x7f, fraction = code & ((1u << from->mantissa) - 1);
  int exponent = (int)(code >> from->mantissa);
  float value;
  if (code >= from->infinity)
    value = code == from->infinity && (kind & 1) ? INFINITY : NAN;
  else if (exponent == 0)
    value = ldexpf((float)fraction, 1 - from->bias - from->mantissa);
  else
    value = ldexpf((float)(fraction + (1u << from->mantissa)), exponent - from->bias - from->mantissa);
  if (byte & 0x80)
    value = -value;
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

uint32_t __gpuprof_cpu_find_set(uint32_t mask, uint32_t base, uint32_t offset) {
  int32_t left = (int32_t)offset;
  int step = left < 0 ? -1 : 1;
  if (left == 0)
    return base < 32 && mask >> base & 1 ? base : ~0u;
  for (int bit = (int)(base & 31); bit >= 0 && bit < 32; bit += step)
    if (mask >> bit & 1 && (left -= step) == 0)
      return (uint32_t)bit;
  return ~0u;
}

float gp_half_to_float(uint32_t bits) {
  uint32_t wide =
      (bits & 0x7fff) << 13; /* the fields where a float has them; its exponent's bias is 112 more */
  float value;
  memcpy(&value, &wide, sizeof value);
  value *= 0x1p112f; /* exact, and correct for subnormal numbers, too */
  if ((bits & 0x7c00) == 0x7c00) {
    wide |= 0x7f800000;
    memcpy(&value, &wide, sizeof value);
  }
  return bits & 0x8000 ? -value : value;
}

uint32_t gp_double_to_half(double value) {
  const uint32_t sign = signbit(value) ? 0x8000 : 0;
  const double size = fabs(value);
  if (isnan(size))
    return 0x7fff;
  if (size >= 65520) /* half way between the greatest number and the next power of two */
    return sign | 0x7c00;
  if (size < 0x1p-14) /* subnormal: steps of 2 to the -24; the first normal number follows by itself */
    return sign | (uint32_t)nearbyint(size * 0x1p24);
  const int exponent = ilogb(size);
  return sign | ((uint32_t)nearbyint(ldexp(size, 10 - exponent)) + ((uint32_t)(exponent + 14) << 10));
}
