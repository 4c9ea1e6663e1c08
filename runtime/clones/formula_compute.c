// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/formula_compute.h"

#include "sheet/formula.h"

int gp_formula_compute(unsigned code, unsigned width, unsigned from, int64_t x, int64_t y, int64_t *result) {
  const uint64_t a = gp_low_bits(x, width), b = gp_low_bits(y, width);
  switch (code) {
  case GP_FORMULA_add:
    *result = (int64_t)(a + b);
    return 1;
  case GP_FORMULA_sub:
    *result = (int64_t)(a - b);
    return 1;
  case GP_FORMULA_mul:
    *result = (int64_t)(a * b);
    return 1;
  case GP_FORMULA_and:
    *result = x & y;
    return 1;
  case GP_FORMULA_or:
    *result = x | y;
    return 1;
  case GP_FORMULA_xor:
    *result = x ^ y;
    return 1;
  case GP_FORMULA_eq:
    *result = x == y;
    return 1;
  case GP_FORMULA_ult:
    *result = a < b;
    return 1;
  case GP_FORMULA_slt:
    *result = x < y;
    return 1;
  case GP_FORMULA_zext:
    *result = (int64_t)gp_low_bits(x, from);
    return 1;
  case GP_FORMULA_sext:
  case GP_FORMULA_trunc:
    *result = x;
    return 1;
  case GP_FORMULA_umin:
  case GP_FORMULA_umax:
    *result = (a < b) == (code == GP_FORMULA_umin) ? x : y;
    return 1;
  case GP_FORMULA_smin:
  case GP_FORMULA_smax:
    *result = (x < y) == (code == GP_FORMULA_smin) ? x : y;
    return 1;
  case GP_FORMULA_udiv:
  case GP_FORMULA_urem:
    if (b)
      *result = (int64_t)(code == GP_FORMULA_udiv ? a / b : a % b);
    return b != 0;
  case GP_FORMULA_sdiv:
  case GP_FORMULA_srem:
    if (y > 0)
      *result = code == GP_FORMULA_sdiv ? x / y : x % y;
    return y > 0;
  default: /* shifts */
    if (b < width)
      *result = code == GP_FORMULA_shl ? (int64_t)(a << b) : code == GP_FORMULA_lshr ? (int64_t)(a >> b) : x >> b;
    return b < width;
  }
}
