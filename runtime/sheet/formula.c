// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sheet/formula.h"

#include "sheet/sheet.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAXIMUM 4096u
#define OPERANDS_MAXIMUM 65536u

static const struct {
  const char *name;
  uint8_t operands;
} operations[] = {
#define GPUPROF_FORMULA_OP(name, operands) {#name, operands},
#include "gpuprof/formula_ops.inc"
};
#define OPERATIONS (sizeof operations / sizeof *operations)

static const char *const registers[] = {
#define GPUPROF_FORMULA_REGISTER(name) #name,
#include "gpuprof/formula_ops.inc"
};

struct parser {
  struct gp_formula *formula;
  uint32_t groups;
  const struct gp_sheet_read *reads;
  size_t read_count;
  char *rest;          /* of the current instruction's words */
  const char *problem; /* null: none so far */
  int in_block;        /* 1 behind an instruction that does not leave the block */
};

static int fail(struct parser *p, const char *problem) {
  if (!p->problem)
    p->problem = problem;
  return -1;
}

/* ---- Words ---- */

static const char *word(struct parser *p) {
  const char *next = strsep(&p->rest, " ");
  return next ? next : "";
}

static int has_word(const struct parser *p) { return p->rest != NULL; }

static int unsigned_number(struct parser *p, const char *text, uint64_t limit, uint32_t *value) {
  char *end;
  errno = 0;
  const unsigned long long number = strtoull(text, &end, 10);
  if (!isdigit((unsigned char)text[0]) || *end || errno || number >= limit)
    return fail(p, "a number is out of range");
  *value = (uint32_t)number;
  return 0;
}

static int signed_number(struct parser *p, const char *text, int64_t *value) {
  char *end;
  errno = 0;
  *value = strtoll(text, &end, 10);
  const char first = text[text[0] == '-'];
  return isdigit((unsigned char)first) && !*end && !errno ? 0 : fail(p, "a constant is out of range");
}

static int width_word(struct parser *p, uint8_t *width) {
  uint32_t bits;
  if (unsigned_number(p, word(p), 65, &bits) || !bits)
    return fail(p, "a width is not 1 to 64");
  *width = (uint8_t)bits;
  return 0;
}

/* ---- Parts ---- */

/* Room for one more; arrays have their maximum size from the beginning. */
static struct gp_formula_operand *new_operand(struct parser *p) {
  if (p->formula->operand_count == OPERANDS_MAXIMUM) {
    fail(p, "it has too many operands");
    return NULL;
  }
  return &p->formula->operands[p->formula->operand_count++];
}

static int block_operand(struct parser *p) {
  struct gp_formula_operand *operand = new_operand(p);
  uint32_t block;
  if (!operand || unsigned_number(p, word(p), STEPS_MAXIMUM, &block))
    return -1;
  *operand = (struct gp_formula_operand){GP_NONE, block};
  return 0;
}

static int constant_operand(struct parser *p, const char *text) {
  struct gp_formula_operand *operand = new_operand(p);
  if (!operand)
    return -1;
  operand->value = GP_NONE;
  return signed_number(p, text, &operand->constant);
}

/* A value's index, or # and a number. */
static int value_operand(struct parser *p) {
  const char *text = word(p);
  if (*text == '#')
    return constant_operand(p, text + 1);
  struct gp_formula_operand *operand = new_operand(p);
  if (!operand)
    return -1;
  operand->constant = 0;
  return unsigned_number(p, text, STEPS_MAXIMUM, &operand->value);
}

static int result_of(struct parser *p, struct gp_formula_step *step, uint8_t width) {
  struct gp_formula *formula = p->formula;
  step->result = (uint32_t)formula->value_count;
  formula->widths[formula->value_count++] = width;
  return 0;
}

/* ---- Instructions ---- */

static int is_comparison(unsigned code) { return code == GP_FORMULA_eq || code == GP_FORMULA_ult || code == GP_FORMULA_slt; }

static int parse_operation(struct parser *p, struct gp_formula_step *step) {
  if (width_word(p, &step->width))
    return -1;
  for (unsigned i = 0; i < operations[step->code].operands; i++)
    if (value_operand(p))
      return -1;
  return result_of(p, step, is_comparison(step->code) ? 1 : step->width);
}

static int parse_phi(struct parser *p, struct gp_formula_step *step) {
  step->code = GP_FORMULA_PHI;
  if (width_word(p, &step->width))
    return -1;
  while (has_word(p))
    if (block_operand(p) || value_operand(p))
      return -1;
  return result_of(p, step, step->width);
}

static int parse_param(struct parser *p, struct gp_formula_step *step) {
  step->code = GP_FORMULA_PARAM;
  if (width_word(p, &step->width) || unsigned_number(p, word(p), UINT32_MAX, &step->index) ||
      unsigned_number(p, word(p), UINT32_MAX, &step->offset))
    return -1;
  if (step->width != 1 && step->width != 8 && step->width != 16 && step->width != 32 && step->width != 64)
    return fail(p, "a parameter has 1, 8, 16, 32 or 64 bits");
  const uint64_t end = (uint64_t)step->offset + (step->width + 7u) / 8;
  for (size_t i = 0; i < p->read_count; i++)
    if (p->reads[i].parameter == step->index && p->reads[i].offset <= step->offset &&
        end <= (uint64_t)p->reads[i].offset + p->reads[i].bytes)
      return result_of(p, step, step->width);
  return fail(p, "it reads arguments that the clone does not");
}

static int parse_register(struct parser *p, struct gp_formula_step *step, unsigned index) {
  step->code = GP_FORMULA_REGISTER;
  step->width = 32;
  step->index = index;
  p->formula->registers |= 1u << index;
  return result_of(p, step, 32);
}

static int parse_count(struct parser *p, struct gp_formula_step *step) {
  step->code = GP_FORMULA_COUNT;
  step->width = 64;
  return unsigned_number(p, word(p), p->groups, &step->index) || value_operand(p);
}

static int parse_mark(struct parser *p, struct gp_formula_step *step) {
  step->code = GP_FORMULA_MARK;
  step->width = 64;
  return value_operand(p) || value_operand(p) || value_operand(p) || value_operand(p);
}

static int parse_switch(struct parser *p, struct gp_formula_step *step) {
  step->code = GP_FORMULA_SWITCH;
  if (value_operand(p) || block_operand(p))
    return -1;
  while (has_word(p)) {
    const char *number = word(p);
    if (*number != '#')
      return fail(p, "a case is not a number");
    if (constant_operand(p, number + 1) || block_operand(p))
      return -1;
  }
  return 0;
}

static int parse_leave(struct parser *p, struct gp_formula_step *step, const char *name) {
  if (!strcmp(name, "end")) {
    step->code = GP_FORMULA_END;
    return 0;
  }
  if (!strcmp(name, "br")) {
    step->code = GP_FORMULA_BR;
    return block_operand(p);
  }
  if (!strcmp(name, "if")) {
    step->code = GP_FORMULA_IF;
    step->width = 1;
    return value_operand(p) || block_operand(p) || block_operand(p);
  }
  return strcmp(name, "switch") ? fail(p, "an instruction is not known") : parse_switch(p, step);
}

static int find(const char *const *names, size_t stride, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(*(const char *const *)((const char *)names + i * stride), name))
      return (int)i;
  return -1;
}

static int parse_step(struct parser *p, struct gp_formula_step *step) {
  const char *name = word(p);
  const int operation = find(&operations[0].name, sizeof *operations, OPERATIONS, name);
  const int reg = find(registers, sizeof *registers, GP_REGISTERS, name);
  if (operation >= 0) {
    step->code = (uint8_t)operation;
    return parse_operation(p, step);
  }
  if (reg >= 0)
    return parse_register(p, step, (unsigned)reg);
  if (!strcmp(name, "phi"))
    return parse_phi(p, step);
  if (!strcmp(name, "param"))
    return parse_param(p, step);
  if (!strcmp(name, "mark"))
    return parse_mark(p, step);
  return strcmp(name, "count") ? parse_leave(p, step, name) : parse_count(p, step);
}

static int add_step(struct parser *p, char *text) {
  struct gp_formula *formula = p->formula;
  if (formula->step_count == STEPS_MAXIMUM)
    return fail(p, "it has too many instructions");
  struct gp_formula_step *step = &formula->steps[formula->step_count];
  *step = (struct gp_formula_step){.first = (uint32_t)formula->operand_count};
  if (!p->in_block)
    formula->blocks[formula->block_count++] = (uint32_t)formula->step_count;
  formula->step_count++;
  p->rest = text;
  if (parse_step(p, step))
    return -1;
  if (has_word(p))
    return fail(p, "an instruction has too many words");
  step->operands = (uint32_t)formula->operand_count - step->first;
  p->in_block = step->code < GP_FORMULA_BR;
  return 0;
}

/* ---- Checks of the whole ---- */

static int has_width(struct parser *p, const struct gp_formula_operand *operand, uint8_t width) {
  if (operand->value == GP_NONE)
    return 1;
  return operand->value < p->formula->value_count && (!width || p->formula->widths[operand->value] == width);
}

static int is_block(const struct parser *p, const struct gp_formula_operand *operand) {
  return (uint64_t)operand->constant < p->formula->block_count;
}

static int check_conversion(struct parser *p, const struct gp_formula_step *step, const struct gp_formula_operand *operand) {
  if (operand->value == GP_NONE || !has_width(p, operand, 0))
    return 0;
  const uint8_t from = p->formula->widths[operand->value];
  return step->code == GP_FORMULA_trunc ? from > step->width : from < step->width;
}

/* True if the operands are values of the right widths, and blocks. */
static int check_operands(struct parser *p, const struct gp_formula_step *step) {
  const struct gp_formula_operand *operand = p->formula->operands + step->first;
  int good = 1;
  switch (step->code) {
  case GP_FORMULA_zext:
  case GP_FORMULA_sext:
  case GP_FORMULA_trunc:
    return check_conversion(p, step, operand);
  case GP_FORMULA_select:
    return has_width(p, operand, 1) && has_width(p, operand + 1, step->width) && has_width(p, operand + 2, step->width);
  case GP_FORMULA_PHI:
    for (uint32_t i = 0; i < step->operands; i += 2)
      good &= is_block(p, operand + i) && has_width(p, operand + i + 1, step->width);
    return good;
  case GP_FORMULA_BR:
    return is_block(p, operand);
  case GP_FORMULA_IF:
    return has_width(p, operand, 1) && is_block(p, operand + 1) && is_block(p, operand + 2);
  case GP_FORMULA_SWITCH:
    for (uint32_t i = 1; i < step->operands; i += 2)
      good &= is_block(p, operand + i);
    return good && operand->value != GP_NONE && has_width(p, operand, 0);
  default:
    for (uint32_t i = 0; i < step->operands; i++)
      good &= has_width(p, operand + i, step->width);
    return good;
  }
}

static int check(struct parser *p) {
  if (p->in_block || !p->formula->block_count)
    return fail(p, "its last block does not end");
  int first = 1; /* in the block: only phis were before */
  for (size_t i = 0; i < p->formula->step_count; i++) {
    const struct gp_formula_step *step = &p->formula->steps[i];
    if (step->code == GP_FORMULA_PHI && !first)
      return fail(p, "a phi is not at the beginning of its block");
    if (!check_operands(p, step))
      return fail(p, "an operand is not of the right kind");
    first = step->code == GP_FORMULA_PHI || step->code >= GP_FORMULA_BR;
  }
  return 0;
}

static int allocate(struct gp_formula *formula) {
  formula->steps = malloc(STEPS_MAXIMUM * sizeof *formula->steps);
  formula->operands = malloc(OPERANDS_MAXIMUM * sizeof *formula->operands);
  formula->blocks = malloc(STEPS_MAXIMUM * sizeof *formula->blocks);
  formula->widths = malloc(STEPS_MAXIMUM * sizeof *formula->widths);
  return formula->steps && formula->operands && formula->blocks && formula->widths;
}

/* Gives back what the arrays do not need. */
static void shrink(struct gp_formula *f) {
#define SHRINK(array, count)                                                                                           \
  do {                                                                                                                 \
    void *less = realloc(array, ((count) ? (count) : 1) * sizeof *(array));                                            \
    (array) = less ? less : (array);                                                                                   \
  } while (0)
  SHRINK(f->steps, f->step_count);
  SHRINK(f->operands, f->operand_count);
  SHRINK(f->blocks, f->block_count);
  SHRINK(f->widths, f->value_count);
#undef SHRINK
}

struct gp_formula *gp_formula_parse(char *text, uint32_t groups, const struct gp_sheet_read *reads, size_t read_count,
                                    const char **problem) {
  struct parser p = {.formula = calloc(1, sizeof *p.formula), .groups = groups, .reads = reads, .read_count = read_count};
  int failed = !p.formula || !allocate(p.formula) ? fail(&p, "memory is exhausted") : 0;
  for (char *step; !failed && (step = strsep(&text, ";"));)
    failed = add_step(&p, step);
  if (!failed && !check(&p)) {
    shrink(p.formula);
    return p.formula;
  }
  *problem = p.problem;
  gp_formula_free(p.formula);
  return NULL;
}

int gp_formulas_equal(const struct gp_formula *a, const struct gp_formula *b) {
  int equal = a->step_count == b->step_count && a->operand_count == b->operand_count && a->value_count == b->value_count;
  for (size_t i = 0; equal && i < a->step_count; i++) {
    const struct gp_formula_step *s = &a->steps[i], *t = &b->steps[i];
    equal = s->code == t->code && s->width == t->width && s->result == t->result && s->index == t->index &&
            s->offset == t->offset && s->first == t->first && s->operands == t->operands;
  }
  for (size_t i = 0; equal && i < a->operand_count; i++)
    equal = a->operands[i].value == b->operands[i].value && a->operands[i].constant == b->operands[i].constant;
  return equal;
}

void gp_formula_free(struct gp_formula *formula) {
  if (!formula)
    return;
  free(formula->steps);
  free(formula->operands);
  free(formula->blocks);
  free(formula->widths);
  free(formula);
}
