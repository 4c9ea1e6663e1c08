// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/contribution_parts.h"

#include "report/rows.h"

#include <stdlib.h>

static int by_line(const void *a, const void *b) {
  const struct gp_sheet_term *x = *(const struct gp_sheet_term *const *)a, *y = *(const struct gp_sheet_term *const *)b;
  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  return (x->region > y->region) - (x->region < y->region);
}

static int add_executions(struct gp_contribution *c, struct gp_row *row, const struct gp_sheet_term *term,
                          uint64_t executions) {
  const struct gp_line line = {.file = c->sheet->files[term->file], .line = term->line, .executions = executions};
  return row && executions ? gp_row_add_line(row, &line) : 0;
}

/* `terms` sorted by line, and within a line by region. */
static int add_sorted_lines(struct gp_contribution *c, const struct gp_sheet_term **terms, size_t count) {
  uint64_t in_region = 0, in_kernel = 0;
  for (size_t i = 0; i < count; i++) {
    const struct gp_sheet_term *term = terms[i], *next = i + 1 < count ? terms[i + 1] : NULL;
    uint64_t executions = c->counts[term->group];
    in_region = executions > in_region ? executions : in_region;
    in_kernel = executions > in_kernel ? executions : in_kernel;
    int line_ends = !next || next->file != term->file || next->line != term->line;
    if (line_ends || next->region != term->region) {
      if (add_executions(c, gp_contribution_row(c, term->region), term, in_region))
        return -1;
      in_region = 0;
    }
    if (line_ends) {
      if (add_executions(c, c->kernel_row, term, in_kernel))
        return -1;
      in_kernel = 0;
    }
  }
  return 0;
}

static int sort_terms(struct gp_contributions *all, const struct gp_sheet_kernel *kernel) {
  if (all->lines_of == kernel)
    return 0;
  const struct gp_sheet_term **terms = gp_scratch_get(all->memory, kernel->term_count * sizeof *terms);
  if (!terms)
    return -1;
  size_t count = 0;
  for (size_t i = 0; i < kernel->term_count; i++)
    if (kernel->terms[i].file != GP_NONE)
      terms[count++] = &kernel->terms[i];
  if (count)
    qsort(terms, count, sizeof *terms, by_line);
  all->lines_of = kernel;
  all->line_terms = terms;
  all->line_term_count = count;
  return 0;
}

int gp_contribution_add_lines(struct gp_contribution *c) {
  struct gp_contributions *all = c->shared;
  return sort_terms(all, c->kernel) ? -1 : add_sorted_lines(c, all->line_terms, all->line_term_count);
}
