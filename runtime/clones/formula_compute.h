/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Instructions of formulas on plain numbers. */
#ifndef GP_FORMULA_COMPUTE_H
#define GP_FORMULA_COMPUTE_H

#include <stdint.h>

static inline uint64_t gp_low_bits(__int128 value, unsigned width) { return (uint64_t)value << (64 - width) >> (64 - width); }

/* Computes one instruction (enum gp_formula_code) of two operands of `width` bits, each a signed number; `from`: the width of the
 * first one where it is converted. Returns 1; or 0 for an operation without a meaning, such as a division by zero. */
int gp_formula_compute(unsigned code, unsigned width, unsigned from, int64_t x, int64_t y, int64_t *result);

#endif
