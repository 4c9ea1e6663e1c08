// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Cost sheets: any bytes are parsed, or refused with a problem; parsed sheets can be walked. Their formulas come to an end. */
#include "clones/formula_count.h"
#include "sheet/sheet.h"

#include <stdlib.h>
#include <string.h>

static void must(int holds) {
  if (!holds)
    abort();
}

static void check_texts(const struct gp_sheet *sheet) {
  for (size_t i = 0; i < sheet->file_count; i++)
    must(strlen(sheet->files[i]) < SIZE_MAX);
  for (size_t i = 0; i < sheet->region_count; i++) {
    const struct gp_sheet_region *region = &sheet->regions[i];
    must(region->description.name && (region->parent == GP_NONE || region->parent < i));
  }
  for (size_t i = 0; i < GP_BUILD_COUNT; i++)
    must(!sheet->build[i] || strlen(sheet->build[i]) < SIZE_MAX);
}

static int in_table(uint32_t index, size_t count) { return index == GP_NONE || index < count; }

/* The caller of a formula owns the arguments that its clone reads: here some numbers. */
static void evaluate(const struct gp_sheet_clone *clone, uint32_t groups) {
  enum { PARAMETERS = 8, BYTES = 64 };
  static unsigned char values[BYTES];
  void *arguments[PARAMETERS];
  uint64_t counts[64] = {0};
  for (size_t i = 0; i < clone->read_count; i++)
    if (clone->reads[i].parameter >= PARAMETERS || (uint64_t)clone->reads[i].offset + clone->reads[i].bytes > BYTES)
      return;
  for (unsigned i = 0; i < PARAMETERS; i++)
    arguments[i] = values;
  for (unsigned i = 0; i < BYTES; i++)
    values[i] = i % 8 < 2 ? 77 : 0;
  const struct gp_launch launch = {.grid = {5, 3, 2}, .block = {70, 2, 1}, .arguments = arguments};
  if (groups <= sizeof counts / sizeof *counts)
    gp_formula_count(clone->formula, &launch, counts, groups);
}

/* Every index must lie in its table: the runtime follows indices unchecked. */
static void check_kernel(const struct gp_sheet *sheet, const struct gp_sheet_kernel *kernel) {
  must(kernel->groups && in_table(kernel->file, sheet->file_count) && strlen(kernel->name) < SIZE_MAX);
  for (size_t i = 0; i < kernel->term_count; i++) {
    const struct gp_sheet_term *term = &kernel->terms[i];
    must(term->group < kernel->groups && in_table(term->region, sheet->region_count) &&
         in_table(term->file, sheet->file_count) && term->cost < GP_COST_COUNT);
  }
  for (size_t i = 0; i < kernel->uncounted_count; i++) {
    const struct gp_sheet_uncounted *place = &kernel->uncounted[i];
    must(in_table(place->group, kernel->groups) && in_table(place->file, sheet->file_count) && place->what && place->why);
  }
  for (size_t i = 0; i < kernel->value_count; i++)
    must(kernel->values[i].group < kernel->groups && in_table(kernel->values[i].region, sheet->region_count));
  for (size_t i = 0; i < kernel->stepped_count; i++)
    must(in_table(kernel->stepped[i], sheet->region_count));
  for (size_t i = 0; i < kernel->empty_count; i++)
    must(kernel->empty[i].region < sheet->region_count);
  for (size_t i = 0; i < kernel->call_count; i++)
    must(in_table(kernel->calls[i].region, sheet->region_count) && kernel->calls[i].name);
  for (size_t i = 0; i < kernel->clone.read_count; i++)
    must(kernel->clone.reads[i].parameter < kernel->clone.parameters);
  if (kernel->clone.formula)
    evaluate(&kernel->clone, kernel->groups);
  for (size_t i = 0; i < kernel->addresses.read_count; i++)
    must(kernel->addresses.reads[i].parameter < kernel->addresses.parameters);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char problem[256] = "";
  struct gp_sheet *sheet = gp_sheet_parse((const char *)data, size, problem, sizeof problem);
  must(sheet ? 1 : problem[0] != 0);
  if (!sheet)
    return 0;
  check_texts(sheet);
  for (size_t i = 0; i < sheet->kernel_count; i++)
    check_kernel(sheet, &sheet->kernels[i]);
  gp_sheet_free(sheet);
  return 0;
}
