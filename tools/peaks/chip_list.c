// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peaks/chip_list.h"

#include "common/grid.h"
#include "common/numbers.h"
#include "report/chips.h"

#include <math.h>
#include <stdio.h>

static const struct grid_column columns[] = {
    {.head = "fp64", .subhead = "TFLOP/s", .rank = 3},
    {.head = "fp32", .subhead = "TFLOP/s"},
    {.head = "tensor", .subhead = "16-bit T/s"},
    {.head = "tensor", .subhead = "int8 T/s", .rank = 4},
    {.head = "DRAM", .subhead = "GB/s"},
    {.head = "L2", .subhead = "MB", .rank = 5},
    {.head = "SMs", .subhead = "", .rank = 2},
    {.head = "device", .subhead = "", .left = true, .rank = 1},
};

static void add_number(struct grid *grid, double value) {
  struct text text = {0};
  if (value == floor(value) && value > 0)
    text_unsigned(&text, (uint64_t)value);
  else if (value > 0)
    number_plain(&text, value);
  grid_cell(grid, &text, value > 0 ? value : NAN);
}

static void add_chip(struct grid *grid, const struct gp_chip *chip) {
  struct gp_ceilings c;
  struct text name = {0};
  char id[32];
  gp_chip_ceilings(chip, &c);
  snprintf(id, sizeof id, "%s%s", chip->id, chip->is_checked ? "" : " *");
  grid_row(grid, id, 0, false);
  add_number(grid, c.core[GP_CORE_FP64] / 1e12);
  add_number(grid, c.core[GP_CORE_FP32] / 1e12);
  add_number(grid, c.tensor[GP_TENSOR_FP16] / 1e12);
  add_number(grid, c.tensor[GP_TENSOR_INT8] / 1e12);
  add_number(grid, chip->dram);
  add_number(grid, chip->l2_mb);
  add_number(grid, chip->sm_count);
  text_add(&name, chip->name);
  grid_cell(grid, &name, NAN);
}

void chip_list(struct text *out, const struct style *style) {
  struct grid grid;
  const struct gp_chip *chip;
  grid_begin(&grid, "chip", columns, sizeof columns / sizeof *columns);
  grid.flat = true;
  for (size_t i = 0; (chip = gp_chip(i)); ++i)
    add_chip(&grid, chip);
  grid_text(out, &grid, style);
  grid_free(&grid);
  text_add(out, "* not checked: no second source was found, or sources differ\n");
}

/* ---- One chip ---- */

static void add_line(struct text *out, const char *group, const char *name, double per_second,
                     const char *unit) {
  text_format(out, "  %-8s %-13s ", group, name);
  if (per_second > 0)
    number_si(out, per_second, unit);
  else
    text_add(out, "-");
  text_add(out, "\n");
}

static void add_lines(struct text *out, const char *group, const char *const *names, const double *rates,
                      int count, const char *unit) {
  for (int i = 0; i < count; ++i)
    add_line(out, group, names[i], rates[i], unit);
}

bool chip_show(struct text *out, const char *id) {
  const struct gp_chip *chip = gp_chip_by_id(id);
  struct gp_ceilings c;
  if (!chip)
    return false;
  gp_chip_ceilings(chip, &c);
  text_format(out, "%s: %s, %u SMs", chip->id, chip->name, chip->sm_count);
  if (chip->boost_mhz)
    text_format(out, " at %u MHz", chip->boost_mhz);
  text_format(out, ", compute capability %u.%u\n", chip->capability / 10, chip->capability % 10);
  text_format(out, "Source: %s%s.\n", chip->source, chip->is_checked ? "" : " (not checked)");
  text_add(
      out,
      chip->derived.tensor_mhz
          ? "Rates are multiprocessors x clock x results a clock (CUDA Programming Guide; white papers).\n"
          : "Rates of cores and tensor cores are as the vendor states them.\n");
  add_lines(out, "core", gp_core_names, c.core, GP_CORE_COUNT, "FLOP/s");
  add_lines(out, "tensor", gp_tensor_names, c.tensor, GP_TENSOR_COUNT, "op/s");
  if (c.fastest)
    add_lines(out, "mma.sync", gp_tensor_names, c.mma_sync, GP_TENSOR_COUNT, "op/s");
  add_line(out, "special", "functions", c.special, "op/s");
  add_lines(out, "integer", gp_integer_names, c.integer, GP_INTEGER_COUNT, "op/s");
  add_lines(out, "bytes", gp_level_names, c.bytes, GP_LEVEL_COUNT, "B/s");
  return true;
}
