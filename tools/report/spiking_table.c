// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/spiking_table.h"

#include "common/numbers.h"

#include "report/formats.h"

#include <math.h>
#include <string.h>

/* ---- Values of a column ---- */

static double order_of(struct count count) { return count.known ? (double)count.value : NAN; }

static double order_number(struct number number) { return number.known ? number.value : NAN; }

/* What a layer is shown with. */
struct shown_layer {
  const struct layer_counts *counts;
  struct value step;
};

static double show_count(struct text *out, struct count count) {
  if (count.known)
    number_count(out, count.value);
  return order_of(count);
}

static double show_bytes(struct text *out, struct count count) {
  if (count.known)
    number_si(out, (double)count.value, "B");
  return order_of(count);
}

static double show_number(struct text *out, struct number number) {
  if (number.known)
    number_plain(out, number.value);
  return order_number(number);
}

#define SHOW(name, how)                                                                                      \
  static double show_##name(struct text *out, const struct shown_layer *layer) {                             \
    const struct layer_counts *counts = layer->counts;                                                       \
    how;                                                                                                     \
  }
SHOW(runs, return show_count(out, counts->executions))
SHOW(positive, return show_count(out, counts->positive))
SHOW(negative, return show_count(out, counts->negative))
SHOW(rate, return show_number(out, counts->firing_rate))
SHOW(operations, return show_count(out, counts->operations))
SHOW(accumulates, return show_count(out, counts->accumulates))
SHOW(multiplies, return show_count(out, counts->multiplies))
SHOW(skipped, return show_count(out, counts->skipped))
SHOW(density, return show_number(out, counts->density))
SHOW(asked, return show_bytes(out, counts->asked))
SHOW(moved, return show_bytes(out, layer_moved_bytes(counts)))
SHOW(unique, return show_bytes(out, counts->unique))
SHOW(rate_of_items, return show_number(out, layer_items_per_second(counts)))

static double show_items(struct text *out, const struct shown_layer *layer) {
  const struct number items = layer->counts->items;
  if (items.known && items.value == floor(items.value) && items.value < 1e15)
    return show_count(out, (struct count){true, (uint64_t)items.value});
  return show_number(out, items);
}

static double show_flops(struct text *out, const struct shown_layer *layer) {
  const struct count flops = layer->counts->flops;
  if (flops.known)
    number_si(out, (double)flops.value, "");
  return order_of(flops);
}

static double show_time(struct text *out, const struct shown_layer *layer) {
  const struct count time = layer->counts->time_ns;
  if (!time.known || !layer->counts->on_gpu)
    return NAN;
  number_time(out, (double)time.value);
  return order_of(time);
}

static double show_useful(struct text *out, const struct shown_layer *layer) {
  const struct count asked = layer->counts->asked, moved = layer_moved_bytes(layer->counts);
  if (!asked.known || !moved.known || !moved.value)
    return NAN;
  return show_number(out, (struct number){true, (double)asked.value / (double)moved.value});
}

static double show_step(struct text *out, const struct shown_layer *layer) {
  if (layer->step.kind == VALUE_WHOLE)
    value_show(out, layer->step);
  else
    text_add(out, "others");
  return value_is_number(layer->step) ? layer->step.real : NAN;
}

/* ---- Layers and steps ---- */

static const struct layer_column {
  struct grid_column column;
  double (*show)(struct text *out, const struct shown_layer *layer);
  bool of_steps_only;
} layer_columns[] = {
    {{"step", "", "time step", 0, false, false, false}, show_step, true},
    {{"runs", "", "how often the layer was entered", 9, false, true, false}, show_runs, false},
    {{"items", "", "what '#pragma gpuprof expect items(n)' states", 9, false, true, false},
     show_items,
     false},
    {{"spikes", "+1", "values above 0 that '#pragma gpuprof spike' saw", 3, false, true, false},
     show_positive,
     false},
    {{"spikes", "-1", "values below 0 that '#pragma gpuprof spike' saw", 3, false, true, true},
     show_negative,
     false},
    {{"firing", "rate", "spikes over all values", 0, false, true, false}, show_rate, false},
    {{"SOP", "", "synaptic operations: AC + MAC", 0, false, true, false}, show_operations, false},
    {{"AC", "", "synaptic operations that only add", 2, false, true, false}, show_accumulates, false},
    {{"MAC", "", "synaptic operations that multiply and add", 2, false, true, false}, show_multiplies, false},
    {{"skipped", "", "operations that the dense layer has and this one did not do", 6, false, true, false},
     show_skipped,
     false},
    {{"density", "", "SOP over those of the dense layer", 1, false, true, false}, show_density, false},
    {{"FLOP", "", "floating-point operations executed; an fma is 2", 8, false, true, false},
     show_flops,
     false},
    {{"bytes", "asked", "global bytes that instructions asked for: useful ones", 7, false, true, false},
     show_asked,
     false},
    {{"bytes", "moved", "32 bytes for each sector of each request", 7, false, true, false},
     show_moved,
     false},
    {{"asked/", "moved", "how much of the bytes moved was asked for; above 1 where lanes share bytes", 4,
      false, true, false},
     show_useful,
     false},
    {{"bytes", "unique", "32-byte sectors touched at least once in a launch: a lower bound of DRAM traffic",
      5, false, true, false},
     show_unique,
     false},
    {{"GPU", "time", "total time of its kernels on the GPU", 8, false, true, false}, show_time, false},
    {{"items/s", "", "items over GPU time", 1, false, true, false}, show_rate_of_items, false},
};
#define LAYER_COLUMNS (sizeof layer_columns / sizeof *layer_columns)

static bool is_in(const struct layer_column *column, bool steps) { return steps || !column->of_steps_only; }

static void begin(struct grid *grid, bool steps) {
  grid_begin(grid, "layer", NULL, 0);
  grid->flat = steps;
  for (size_t c = 0; c < LAYER_COLUMNS; ++c)
    if (is_in(&layer_columns[c], steps))
      grid_add_column(grid, layer_columns[c].column);
}

static void add_cells(struct grid *grid, const struct shown_layer *layer, bool steps) {
  for (size_t c = 0; c < LAYER_COLUMNS; ++c) {
    struct text cell = {0};
    if (!is_in(&layer_columns[c], steps))
      continue;
    const double order = layer_columns[c].show(&cell, layer);
    grid_cell(grid, &cell, order);
  }
}

void layer_table(struct grid *grid, const struct layers *layers) {
  begin(grid, false);
  for (size_t i = 0; i < report_shown(layers->count); ++i) {
    const struct layer *layer = &layers->items[i];
    grid_row(grid, layer->title, layer->depth, layer->last);
    add_cells(grid, &(struct shown_layer){.counts = &layer->counts}, false);
  }
}

void step_table(struct grid *grid, const struct layers *layers) {
  begin(grid, true);
  for (size_t i = 0; i < layers->count; ++i)
    for (size_t s = 0; s < layers->items[i].step_count && grid->row_count < REPORT_ROWS_MOST; ++s) {
      const struct layer_step *step = &layers->items[i].steps[s];
      grid_row(grid, layers->items[i].entry->is_kernel ? layers->items[i].title : layers->items[i].path, 0, false);
      add_cells(grid, &(struct shown_layer){&step->counts, step->number}, true);
    }
}

/* ---- Energy ---- */

static const struct grid_column energy_columns[] = {
    {"SOP", "", "synaptic operations: accumulates and multiply-accumulates", 4, false, false, false},
    {"AC", "", "energy of its accumulates", 3, false, false, false},
    {"MAC", "", "energy of its multiply-accumulates", 3, false, false, false},
    {"AC+MAC", "", "energy of both", 0, false, false, false},
    {"dense", "", "energy of the dense layer: every possible operation as a multiply-accumulate", 1, false,
     false, false},
    {"dense/", "AC+MAC", "how many times the energy the dense layer takes", 2, false, false, false},
    {"per", "item", "energy of both over the items of the layer, or of the layer around it", 1, false, true,
     false},
    {"measured", "", "what the hardware measured for the whole row; never a part of a sum", 2, false, false,
     false},
};

static void add_joules(struct grid *grid, struct number joules) {
  struct text cell = {0};
  if (joules.known)
    number_joules(&cell, joules.value);
  grid_cell(grid, &cell, order_number(joules));
}

static void add_energy(struct grid *grid, struct count operations, struct energy energy, struct number items,
                       struct number measured) {
  struct text cell = {0};
  double order = show_count(&cell, operations);
  grid_cell(grid, &cell, order);
  add_joules(grid, energy.accumulates);
  add_joules(grid, energy.multiplies);
  add_joules(grid, energy.sum);
  add_joules(grid, energy.dense);
  order = show_number(&cell, energy_ratio(energy.dense, energy.sum));
  grid_cell(grid, &cell, order);
  add_joules(grid, energy_ratio(energy.sum, items));
  add_joules(grid, measured);
}

/* The last of its parent's layers that have operations. */
static bool is_last_with_operations(const struct layers *layers, size_t layer) {
  const size_t parent = layers->items[layer].parent;
  for (size_t i = layer + 1; i < layers->count && layers->items[i].depth >= layers->items[layer].depth; ++i)
    if (layers->items[i].parent == parent && layers->items[i].counts.operations.known)
      return false;
  return true;
}

void energy_table(struct grid *grid, const struct layers *layers, const struct energy_choice *choice) {
  struct count operations = {0};
  grid_begin(grid, "layer", energy_columns, sizeof energy_columns / sizeof *energy_columns);
  for (size_t i = 0; i < report_shown(layers->count); ++i) {
    const struct layer *layer = &layers->items[i];
    if (!layer->counts.operations.known)
      continue;
    grid_row(grid, layer->title, layer->depth, is_last_with_operations(layers, i));
    add_energy(grid, layer->counts.operations, energy_of(choice, &layer->counts), layer_items(layers, i),
               layer->counts.joules);
    if (layer_is_in_total(layers, i))
      operations = count_sum(operations, layer->counts.operations);
  }
  if (!grid->row_count)
    return;
  grid_row(grid, "total", 0, true);
  add_energy(grid, operations, energy_total(choice, layers), energy_total_items(layers), (struct number){0});
}

/* ---- Words ---- */

const char *items_unknown(const struct layers *layers) {
  bool stated = false, on_cpu = true;
  for (size_t i = 0; i < layers->count; ++i) {
    const struct layer_counts *counts = &layers->items[i].counts;
    if (!counts->items.known)
      continue;
    if (layer_items_per_second(counts).known)
      return "";
    stated = true;
    on_cpu &= !strcmp(entry_string(layers->items[i].entry, STRING_TIME_SOURCE), "cpu");
  }
  if (!stated)
    return "";
  return on_cpu
             ? "items/s is unknown: the program ran on the CPU device, whose time says nothing about a GPU."
             : "items/s is unknown: no GPU time was measured.";
}

void layer_legend(struct text *out, const struct layers *layers) {
  bool operations = false, moved = false;
  for (size_t i = 0; i < layers->count; ++i) {
    operations |= layers->items[i].counts.operations.known;
    moved |= layer_moved_bytes(&layers->items[i].counts).known;
  }
  text_add(out, "firing rate: spikes over all values that 'spike' saw.");
  if (operations)
    text_add(out, " SOP: synaptic operations, AC (only an addition) and MAC; density: of those that the "
                  "dense layer has.");
  if (moved)
    text_add(out, " asked/moved: useful bytes over 32 for each sector of each request.");
  if (*items_unknown(layers))
    text_format(out, " %s", items_unknown(layers));
}
