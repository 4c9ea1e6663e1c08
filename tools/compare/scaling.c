// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/scaling.h"

#include "common/grid.h"
#include "common/numbers.h"
#include "common/write.h"
#include "reader/rank_lines.h"

#include <math.h>

static const struct grid_column columns[] = {
    {"ranks", "", "processes of the run", 0, false, false, false},
    {"FLOP", "", "of all kernels of all ranks", 2, false, true, false},
    {"run", "", "time of the slowest rank", 0, false, true, false},
    {"effi-", "ciency", "FLOPs over this time and over ranks, compared with the first run", 0, false, true, false},
    {"kernels", "", "kernel time of the rank with the most", 0, false, true, false},
    {"effi-", "ciency", "the same by kernel time", 1, false, true, false},
    {"commu-", "nication", "of the time of all ranks", 0, false, true, false},
};

/* Numbers of a run; not known where they are NAN. */
struct scale {
  double ranks, flops, run_ns, kernels_ns, communication_ns, all_ns;
};

static double most_of(struct rank_spread spread) { return spread.known ? spread.most : NAN; }

static struct scale scale_of(const struct document *document) {
  struct rank_lines ranks = ranks_of(document);
  struct scale scale = {.ranks = (double)ranks.count,
                        .run_ns = most_of(ranks_spread(&ranks, rank_duration)),
                        .kernels_ns = most_of(ranks_spread(&ranks, rank_kernel_time)),
                        .communication_ns = NAN};
  for (size_t i = 0; i < ranks.count; ++i) {
    const struct rank_line *line = &ranks.items[i];
    scale.flops += line->flops.known ? (double)line->flops.value : NAN;
    scale.all_ns += line->duration_ns.known ? (double)line->duration_ns.value : NAN;
    if (line->communication_ns.known)
      scale.communication_ns = (isnan(scale.communication_ns) ? 0 : scale.communication_ns) + (double)line->communication_ns.value;
  }
  ranks_free(&ranks);
  return scale;
}

/* Work over time and ranks, compared with the first run: 1 is perfect, whether work grows with ranks or not. */
static double efficiency(const struct scale *scale, const struct scale *first, double ns, double first_ns) {
  return scale->flops / first->flops * first_ns / ns * first->ranks / scale->ranks;
}

static void number_cell(struct grid *grid, double value, void (*show)(struct text *text, double value)) {
  struct text cell = {0};
  if (isfinite(value))
    show(&cell, value);
  grid_cell(grid, &cell, isfinite(value) ? value : NAN);
}

static void show_whole(struct text *text, double value) { text_format(text, "%.0f", value); }
static void show_amount(struct text *text, double value) { number_si(text, value, ""); }
static void show_share(struct text *text, double value) { number_percent(text, 100 * value); }

static void add_run(struct grid *grid, const struct document *document, const struct scale *scale, const struct scale *first) {
  struct text name = {0};
  text_plain(&name, document->file);
  grid_row(grid, text_get(&name), 0, false);
  text_free(&name);
  number_cell(grid, scale->ranks, show_whole);
  number_cell(grid, scale->flops, show_amount);
  number_cell(grid, scale->run_ns, number_time);
  number_cell(grid, efficiency(scale, first, scale->run_ns, first->run_ns), show_share);
  number_cell(grid, scale->kernels_ns, number_time);
  number_cell(grid, efficiency(scale, first, scale->kernels_ns, first->kernels_ns), show_share);
  number_cell(grid, scale->communication_ns / scale->all_ns, show_share);
}

static bool any_is_merged(const struct document *documents, size_t count) {
  bool any = false;
  for (size_t i = 0; i < count; ++i) {
    struct rank_lines ranks = ranks_of(&documents[i]);
    any |= ranks.is_merged;
    ranks_free(&ranks);
  }
  return any;
}

void scaling_table(struct text *out, const struct document *documents, size_t count, const struct style *style) {
  struct grid grid;
  if (!any_is_merged(documents, count))
    return;
  const struct scale first = scale_of(&documents[0]);
  grid_begin(&grid, "run", columns, sizeof columns / sizeof *columns);
  grid.flat = true;
  for (size_t i = 0; i < count; ++i) {
    const struct scale scale = scale_of(&documents[i]);
    add_run(&grid, &documents[i], &scale, &first);
  }
  grid_text(out, &grid, style);
  text_add(out, " ");
  write_wrapped(out, style, "Efficiency: FLOPs over the time of the slowest rank and over ranks, compared with the first run.", 1);
  text_add(out, "\n");
  grid_free(&grid);
}
