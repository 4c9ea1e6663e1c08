// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/contribution_parts.h"

#include "base/log.h"

static int is_empty(const struct gp_sheet_kernel *kernel, uint32_t region) {
  for (size_t i = 0; i < kernel->empty_count; i++)
    if (kernel->empty[i].region == region)
      return 1;
  return 0;
}

/* The path of the innermost region around an empty one with counts; null: the kernel itself. */
static const char *around_empty(struct gp_contribution *c, uint32_t region) {
  do
    region = c->sheet->regions[region].parent;
  while (region != GP_NONE && is_empty(c->kernel, region));
  const struct gp_row *row = region == GP_NONE ? NULL : gp_contribution_row(c, region);
  return row ? row->path : NULL;
}

static void remark_empty(struct gp_contribution *c, const struct gp_row *row, const struct gp_sheet_empty *empty) {
  const char *around, *quote;
  switch (empty->left) {
  case GP_EMPTY_REMOVED:
    around = around_empty(c, empty->region);
    quote = around ? "'" : "";
    gp_remark(
        row->path,
        "the optimiser left its kernel no instruction that is this region's alone: its work was folded, or is part "
        "of instructions that count for %s%s%s",
        quote, around ? around : "the kernel", quote);
    break;
  case GP_EMPTY_FUSED:
    gp_remark(row->path, "its products are part of fused multiply-adds, which count for the region of the sum");
    break;
  case GP_EMPTY_FREE:
    gp_remark(row->path, "it has no instruction that counts as work (docs/user/costs.md)");
    break;
  case GP_EMPTY_UNCOUNTED:
    gp_remark(row->path, "its work is not counted: see uncounted");
    break;
  }
}

int gp_contribution_add_empty_regions(struct gp_contribution *c) {
  for (size_t i = 0; i < c->kernel->empty_count; i++) {
    const struct gp_row *row = gp_contribution_row(c, c->kernel->empty[i].region);
    if (!row)
      return -1;
    remark_empty(c, row, &c->kernel->empty[i]);
  }
  return 0;
}
