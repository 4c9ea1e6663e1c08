/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A formula: a kernel's control flow as a small program, from which the host finds the counts of a launch without
 * running anything (docs/developer/formulas.md).
 */
#ifndef GP_FORMULA_H
#define GP_FORMULA_H

#include <stddef.h>
#include <stdint.h>

enum gp_formula_code {
#define GPUPROF_FORMULA_OP(name, operands) GP_FORMULA_##name,
#include "gpuprof/formula_ops.inc"
  GP_FORMULA_PHI,      /* operands: block, value, … */
  GP_FORMULA_PARAM,    /* index, offset: of bytes among the arguments */
  GP_FORMULA_REGISTER, /* index: which one */
  GP_FORMULA_COUNT,    /* adds the operand to the counter `index` */
  GP_FORMULA_MARK,     /* operands: address, distance, turns, bytes: global memory that a thread touches */
  GP_FORMULA_BR,       /* operand: block */
  GP_FORMULA_IF,       /* operands: condition, block, block */
  GP_FORMULA_SWITCH,   /* operands: value, block otherwise, number, block, … */
  GP_FORMULA_END
};

enum gp_formula_register {
#define GPUPROF_FORMULA_REGISTER(name) GP_REGISTER_##name,
#include "gpuprof/formula_ops.inc"
  GP_REGISTERS
};

struct gp_formula_operand {
  uint32_t value;   /* index of a value, or GP_NONE */
  int64_t constant; /* without a value: the number, or a block */
};

struct gp_formula_step {
  uint8_t code;    /* enum gp_formula_code */
  uint8_t width;   /* bits of the operands, or of the result of a conversion, parameter or phi */
  uint32_t result; /* index of the value computed, if it is one */
  uint32_t index, offset;
  uint32_t first, operands; /* in gp_formula.operands */
};

struct gp_formula {
  struct gp_formula_step *steps; /* the last one of each block leaves it */
  struct gp_formula_operand *operands;
  uint32_t *blocks; /* the first step of each; execution begins with block 0 */
  uint8_t *widths;  /* bits of each value */
  size_t step_count, operand_count, block_count, value_count;
  uint32_t registers; /* bit r: register r is read */
};

struct gp_sheet_read;

/* Parses the text of a formula of a kernel with this number of counters, and may change it. It reads only the given bytes
 * of the arguments. Returns null for a malformed formula, with half a sentence in *problem. */
struct gp_formula *gp_formula_parse(char *text, uint32_t groups, const struct gp_sheet_read *reads, size_t read_count,
                                    const char **problem);
/* True if both say the same, instruction by instruction. */
int gp_formulas_equal(const struct gp_formula *a, const struct gp_formula *b);
void gp_formula_free(struct gp_formula *formula);

#endif
