// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/format_spiking.h"

#include "chart/firing.h"
#include "report/grid_section.h"
#include "report/spiking_table.h"

#include <stdlib.h>

/* Layers and steps of a document. Kernels are layers where no region is, or where regions are not asked for.
 */
struct spiking {
  struct layers layers, all; /* all: with those that have no spikes, for their steps */
};

static struct spiking spiking_of(const struct document *document, const struct selection *selection,
                                 bool steps) {
  struct spiking spiking = {.layers = {0}};
  bool kernels = !selection->regions;
  spiking.layers = layers_of(document, kernels, LAYERS_SPIKING);
  if (!spiking.layers.count && selection->regions && selection->kernels) {
    kernels = true;
    layers_free(&spiking.layers);
    spiking.layers = layers_of(document, kernels, LAYERS_SPIKING);
  }
  if (steps)
    spiking.all = layers_of(document, kernels && spiking.layers.count, LAYERS_ALL);
  return spiking;
}

static void free_spiking(struct spiking *spiking) {
  layers_free(&spiking->layers);
  layers_free(&spiking->all);
}

static void add_table(struct text *out, section_function table, const char *title, struct grid *grid,
                      struct text *below, const struct style *style) {
  if (grid->row_count)
    table(out, title, grid, text_get(below), style);
  grid_free(grid);
  text_free(below);
}

static void add_layers(struct text *out, const struct spiking *spiking, section_function table,
                       const struct style *style) {
  struct grid grid;
  struct text below = {0};
  layer_table(&grid, &spiking->layers);
  layer_legend(&below, &spiking->layers);
  add_table(out, table, "Spiking layers", &grid, &below, style);
}

static void add_steps(struct text *out, const struct spiking *spiking, section_function table,
                      const struct style *style) {
  struct grid grid;
  struct text below = {0};
  step_table(&grid, &spiking->all);
  add_table(out, table, "Time steps", &grid, &below, style);
}

static void add_energy(struct text *out, const struct spiking *spiking, const struct energy_choices *choices,
                       section_function table, const struct style *style) {
  for (size_t i = 0; choices && i < choices->count; ++i) {
    struct grid grid;
    struct text title = {0}, below = {0};
    energy_table(&grid, &spiking->layers, &choices->items[i]);
    energy_title(&title, &choices->items[i]);
    energy_method(&below, &choices->items[i]);
    if (grid.row_count)
      add_table(out, table, text_get(&title), &grid, &below, style);
    else
      table(out, text_get(&title), NULL,
            "No synaptic operations are stated: put '#pragma gpuprof synapse(events, fanout)' where they are "
            "done.",
            style);
    grid_free(&grid);
    text_free(&below);
    text_free(&title);
  }
}

static void add_all(struct text *out, const struct document *document, const struct selection *selection,
                    bool steps, section_function table, const struct style *style) {
  struct spiking spiking = spiking_of(document, selection, steps);
  add_layers(out, &spiking, table, style);
  if (steps)
    add_steps(out, &spiking, table, style);
  add_energy(out, &spiking, selection->energy, table, style);
  free_spiking(&spiking);
}

/* ---- Text ---- */

void report_spiking_text(struct text *out, const struct document *document, const struct selection *selection,
                         const struct style *style) {
  add_all(out, document, selection, selection->steps, section_text, style);
}

/* ---- Markdown ---- */

void report_spiking_markdown(struct text *out, const struct document *document,
                             const struct selection *selection, const struct style *style) {
  add_all(out, document, selection, selection->steps, section_markdown, style);
}

/* ---- What --energy knows ---- */

void report_energy_tables(struct text *out, const struct style *style) {
  static const struct grid_column columns[] = {
      {"operation", "", "", 0, true, false, false},
      {"AC, pJ", "", "", 0, false, false, false},
      {"MAC, pJ", "", "", 0, false, false, false},
      {"of", "", "", 1, true, false, false},
  };
  struct grid grid;
  grid_begin(&grid, "name", columns, sizeof columns / sizeof *columns);
  for (size_t t = 0; t < energy_table_count; ++t)
    for (size_t i = 0; i < ENERGY_OPERATIONS_MOST && energy_tables[t].operations[i].precision; ++i) {
      const struct energy_choice choice = {&energy_tables[t], &energy_tables[t].operations[i]};
      struct text cell = {0};
      energy_name(&cell, &choice);
      grid_row(&grid, text_get(&cell), 0, false);
      text_free(&cell);
      text_add(&cell, *choice.operation->precision ? choice.operation->precision : "synaptic operation");
      grid_cell(&grid, &cell, 0);
      text_format(&cell, "%.4g", choice.operation->accumulate);
      grid_cell(&grid, &cell, 0);
      if (choice.operation->multiply_accumulate > 0)
        text_format(&cell, "%.4g", choice.operation->multiply_accumulate);
      grid_cell(&grid, &cell, 0);
      text_add(&cell, choice.table->shown);
      grid_cell(&grid, &cell, 0);
    }
  grid_text(out, &grid, style);
  grid_free(&grid);
  text_add(out, "\n Sources\n");
  for (size_t t = 0; t < energy_table_count; ++t) {
    struct text line = {0};
    text_format(&line, "%s: %s.", energy_tables[t].name, energy_tables[t].source);
    text_add(out, style->utf8 ? " • " : " * ");
    write_wrapped(out, style, text_get(&line), 3);
    text_free(&line);
  }
  text_add(out, "\n ");
  write_wrapped(out, style,
                "A name alone takes the first precision. A MAC is a multiplication and an addition.", 1);
}

/* ---- HTML ---- */

static void add_picture(struct text *out, const struct document *document, const struct selection *selection) {
  struct firing firing;
  char *why = firing_build(&firing, document, 1, selection, NULL);
  if (!why) {
    const struct picture picture = firing_picture(&firing);
    text_add(out, "<section class=\"picture\"><div class=\"scroll\">\n");
    svg_draw(out, &picture, true);
    text_add(out, "</div></section>\n");
  }
  firing_free(&firing);
  free(why);
}

void report_spiking_html(struct text *out, const struct document *document, const struct selection *selection,
                         const struct style *style) {
  add_picture(out, document, selection);
  add_all(out, document, selection, true, section_html, style);
}
