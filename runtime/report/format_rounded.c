// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/format_rounded.h"

#include <stdint.h>
#include <string.h>

#define DIGITS 9
#define LEAST_FIXED (-4) /* smaller exponents, and those from DIGITS on, are written */

/* Long doubles hold them exactly. */
static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                     1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                     1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
#define LARGEST 27
#define SMALLEST (DIGITS - 1 - LARGEST)

/* Of the first digit; one less or more where rounding decides. */
static int exponent_of(double value) {
  int exponent = 0;
  if (value >= 1)
    while (exponent < LARGEST && value >= powers[exponent + 1])
      exponent++;
  else
    while (exponent > SMALLEST && value * powers[-exponent] < 1)
      exponent--;
  return exponent;
}

/* The digits as a number; 0 if the rest is so close to a half that the product's own rounding may decide. */
static uint32_t round_to_digits(double value, int exponent) {
  const int shift = DIGITS - 1 - exponent;
  const long double scaled = shift >= 0 ? value * powers[shift] : value / powers[-shift];
  const uint64_t whole = (uint64_t)scaled;
  const long double rest = scaled - (long double)whole;
  if (rest > 0.499999L && rest < 0.500001L)
    return 0;
  return (uint32_t)(whole + (rest > 0.5L));
}

static char *put(char *end, const char *digits, int count) {
  memcpy(end, digits, (size_t)count);
  return end + count;
}

static char *put_fraction(char *end, const char *digits, int count) {
  if (count > 0)
    *end++ = '.';
  return count > 0 ? put(end, digits, count) : end;
}

static char *put_fixed(char *end, const char *digits, int count, int exponent) {
  static const char zeros[] = "000000000";
  if (exponent < 0)
    return put(put(put(end, "0.", 2), zeros, -exponent - 1), digits, count);
  if (count <= exponent)
    return put(put(end, digits, count), zeros, exponent + 1 - count);
  return put_fraction(put(end, digits, exponent + 1), digits + exponent + 1, count - exponent - 1);
}

static char *put_scientific(char *end, const char *digits, int count, int exponent) {
  const int size = exponent < 0 ? -exponent : exponent;
  end = put_fraction(put(end, digits, 1), digits + 1, count - 1);
  *end++ = 'e';
  *end++ = exponent < 0 ? '-' : '+';
  *end++ = (char)('0' + size / 10);
  *end++ = (char)('0' + size % 10);
  return end;
}

int gp_format_rounded(char text[GP_ROUNDED_BYTES], double value) {
  if (!(value >= 1e-17 && value < 1e26))
    return 0;
  int exponent = exponent_of(value), count = DIGITS;
  uint32_t number = round_to_digits(value, exponent);
  if (number == 1000000000) {
    number /= 10;
    exponent++;
  }
  if (number < 100000000 || number > 999999999)
    return 0;
  char digits[DIGITS];
  for (int i = DIGITS; i-- > 0; number /= 10)
    digits[i] = (char)('0' + number % 10);
  while (digits[count - 1] == '0')
    count--;
  const int fixed = exponent >= LEAST_FIXED && exponent < DIGITS;
  char *end = fixed ? put_fixed(text, digits, count, exponent) : put_scientific(text, digits, count, exponent);
  *end = 0;
  return 1;
}
