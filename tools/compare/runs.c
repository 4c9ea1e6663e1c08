// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/runs.h"

#include "common/grid.h"
#include "common/numbers.h"
#include "common/write.h"
#include "spiking/energy.h"
#include "spiking/layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Runs ---- */

struct run {
  const struct document *document;
  struct layers layers;
  const struct layer **by_path; /* sorted */
  char *label, *ratio_head;
};

static int by_path(const void *first, const void *second) {
  return strcmp((*(const struct layer *const *)first)->path, (*(const struct layer *const *)second)->path);
}

static const struct layer *find_layer(const struct run *run, const char *path) {
  const struct layer wanted = {.path = (char *)path}, *key = &wanted;
  const struct layer **found =
      run->layers.count ? bsearch(&key, run->by_path, run->layers.count, sizeof *run->by_path, by_path)
                        : NULL;
  return found ? *found : NULL;
}

/* The file's name without folders and ending; numbered where an earlier run has the same. */
static char *label_of(const struct run *runs, size_t run) {
  struct text label = {0};
  const char *slash = strrchr(runs[run].document->file, '/'),
             *name = slash ? slash + 1 : runs[run].document->file;
  const char *dot = strrchr(name, '.');
  char *plain = format_string("%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
  text_plain(&label, plain);
  free(plain);
  for (size_t i = 0; i < run; ++i)
    if (!strcmp(runs[i].label, text_get(&label))) {
      text_format(&label, " [%zu]", run + 1);
      break;
    }
  return label.data ? label.data : copy_string("");
}

static struct layers layers_to_compare(const struct document *document, const struct selection *selection) {
  struct layers layers = {0};
  if (selection->regions)
    layers = layers_of(document, false, LAYERS_ALL);
  if (selection->kernels && !layers.count) {
    layers_free(&layers);
    layers = layers_of(document, true, LAYERS_ALL);
  }
  return layers;
}

static void begin_run(struct run *runs, size_t index, const struct document *document,
                      const struct selection *selection) {
  struct run *run = &runs[index];
  *run = (struct run){.document = document, .layers = layers_to_compare(document, selection)};
  run->by_path = allocate((run->layers.count + 1) * sizeof *run->by_path);
  for (size_t i = 0; i < run->layers.count; ++i)
    run->by_path[i] = &run->layers.items[i];
  if (run->layers.count > 1)
    qsort(run->by_path, run->layers.count, sizeof *run->by_path, by_path);
  run->label = label_of(runs, index);
  run->ratio_head = format_string("/ %s", runs[0].label);
}

static void end_run(struct run *run) {
  layers_free(&run->layers);
  free(run->by_path);
  free(run->label);
  free(run->ratio_head);
}

/* ---- Counts ---- */

/* The shown values of a run's layer. */
struct place {
  const struct run *run;
  const struct layer *layer;
  const struct energy_choice *energy;
};

static struct number of_count(struct count count) {
  return (struct number){count.known, (double)count.value};
}

#define TAKE(name, what)                                                                                     \
  static struct number take_##name(const struct place *place) {                                              \
    const struct layer_counts *counts = &place->layer->counts;                                               \
    return what;                                                                                             \
  }
TAKE(time, counts->on_gpu ? of_count(counts->time_ns) : (struct number){0})
TAKE(items_rate, layer_items_per_second(counts))
TAKE(flops, of_count(counts->flops))
TAKE(asked, of_count(counts->asked))
TAKE(unique, of_count(counts->unique))
TAKE(spikes, of_count(layer_spikes(counts)))
TAKE(rate, counts->firing_rate)
TAKE(operations, of_count(counts->operations))
TAKE(density, counts->density)
TAKE(energy, energy_of(place->energy, counts).sum)
TAKE(dense, energy_of(place->energy, counts).dense)

static struct number take_energy_per_item(const struct place *place) {
  const size_t layer = (size_t)(place->layer - place->run->layers.items);
  return energy_ratio(take_energy(place), layer_items(&place->run->layers, layer));
}

static void show_plain(struct text *out, double value) {
  if (value == floor(value) && value < 1e6)
    text_format(out, "%.0f", value);
  else
    number_plain(out, value);
}
static void show_amount(struct text *out, double value) { number_si(out, value, ""); }
static void show_bytes(struct text *out, double value) { number_si(out, value, "B"); }

static const struct compared_count {
  const char *shown;
  struct number (*take)(const struct place *place);
  void (*show)(struct text *out, double value);
  bool is_count; /* a difference of it is one of the runs */
} counts[] = {{"GPU time", take_time, number_time, false},
              {"items/s", take_items_rate, show_plain, false},
              {"FLOPs", take_flops, show_amount, true},
              {"bytes asked", take_asked, show_bytes, true},
              {"bytes unique", take_unique, show_bytes, true},
              {"spikes", take_spikes, show_plain, true},
              {"firing rate", take_rate, show_plain, true},
              {"synaptic operations", take_operations, show_plain, true},
              {"density", take_density, show_plain, true}},
  energies[] = {{"", take_energy, number_joules, false},
                {" dense", take_dense, number_joules, false},
                {" per item", take_energy_per_item, number_joules, false}};

/* ---- The table ---- */

struct comparing {
  const struct run *runs;
  size_t run_count, most, left_out;
  struct grid grid;
  bool differs;
};

static void add_values(struct comparing *comparing, const struct compared_count *count,
                       const struct number *values) {
  for (size_t r = 0; r < comparing->run_count; ++r) {
    const struct number ratio = energy_ratio(values[r], values[0]);
    struct text cell = {0};
    if (values[r].known)
      count->show(&cell, values[r].value);
    grid_cell(&comparing->grid, &cell, NAN);
    if (!r)
      continue;
    if (ratio.known)
      text_format(&cell, "x %.3g", ratio.value);
    grid_cell(&comparing->grid, &cell, NAN);
  }
}

/* Adds a row of a layer; true where some run knows the count. `name`: of the layer, for its first row. */
static bool add_count(struct comparing *comparing, const char *path, const char *name,
                      const struct compared_count *count, const struct energy_choice *energy) {
  struct number values[RUNS_MOST] = {{0}};
  bool known = false;
  for (size_t r = 0; r < comparing->run_count; ++r) {
    const struct place place = {&comparing->runs[r], find_layer(&comparing->runs[r], path), energy};
    if (place.layer)
      values[r] = count->take(&place);
    known |= values[r].known;
    comparing->differs |=
        count->is_count && (values[r].known != values[0].known || values[r].value != values[0].value);
  }
  if (!known)
    return false;
  if (comparing->grid.row_count == comparing->most) {
    comparing->left_out++;
    return true;
  }
  struct text shown = {0};
  grid_row(&comparing->grid, name, 0, false);
  if (energy) {
    energy_name(&shown, energy);
    text_format(&shown, "%s, estimate", count->shown);
  } else {
    text_add(&shown, count->shown);
  }
  grid_cell(&comparing->grid, &shown, NAN);
  add_values(comparing, count, values);
  return true;
}

static void add_layer(struct comparing *comparing, const struct layer *layer,
                      const struct energy_choices *energy) {
  const char *name = layer->entry->is_kernel ? layer->title : layer->path;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
    if (add_count(comparing, layer->path, name, &counts[i], NULL))
      name = "";
  for (size_t e = 0; energy && e < energy->count; ++e)
    for (size_t i = 0; i < sizeof energies / sizeof *energies; ++i)
      if (add_count(comparing, layer->path, name, &energies[i], &energy->items[e]))
        name = "";
}

/* Whether an earlier run has the layer. */
static bool is_known_before(const struct comparing *comparing, size_t run, const char *path) {
  for (size_t r = 0; r < run; ++r)
    if (find_layer(&comparing->runs[r], path))
      return true;
  return false;
}

static void add_layers(struct comparing *comparing, const struct energy_choices *energy) {
  for (size_t r = 0; r < comparing->run_count; ++r)
    for (size_t i = 0; i < comparing->runs[r].layers.count; ++i)
      if (!is_known_before(comparing, r, comparing->runs[r].layers.items[i].path))
        add_layer(comparing, &comparing->runs[r].layers.items[i], energy);
}

static void begin_grid(struct comparing *comparing) {
  grid_begin(&comparing->grid, "layer", NULL, 0);
  comparing->grid.flat = true;
  grid_add_column(&comparing->grid, (struct grid_column){"count", "", "", 0, true, false, false});
  for (size_t r = 0; r < comparing->run_count; ++r) {
    grid_add_column(&comparing->grid,
                    (struct grid_column){comparing->runs[r].label, "", "", 0, false, false, false});
    if (r)
      grid_add_column(&comparing->grid,
                      (struct grid_column){comparing->runs[0].ratio_head, "", "", 1, false, false, false});
  }
}

static void say_below(struct text *out, const struct comparing *comparing, const struct selection *selection,
                      const struct style *style) {
  bool on_cpu = false;
  if (comparing->left_out)
    text_format(out, " and %zu more; --all shows them\n", comparing->left_out);
  for (size_t r = 0; r < comparing->run_count; ++r)
    on_cpu |= document_is_cpu(comparing->runs[r].document);
  if (on_cpu) {
    text_add(out, " ");
    write_wrapped(out, style, "Times of the CPU device say nothing about a GPU, and are left out.", 1);
  }
  for (size_t e = 0; selection->energy && e < selection->energy->count; ++e) {
    struct text line = {0};
    energy_method(&line, &selection->energy->items[e]);
    text_add(out, " ");
    write_wrapped(out, style, text_get(&line), 1);
    text_free(&line);
  }
}

bool runs_table(struct text *out, const struct document *documents, size_t count,
                const struct selection *selection, const struct style *style, size_t most) {
  struct run runs[RUNS_MOST];
  struct comparing comparing = {.runs = runs, .run_count = count, .most = most};
  for (size_t r = 0; r < count; ++r)
    begin_run(runs, r, &documents[r], selection);
  begin_grid(&comparing);
  add_layers(&comparing, selection->energy);
  if (comparing.grid.row_count)
    grid_text(out, &comparing.grid, style);
  else
    text_add(out, " No region or kernel is in any of the files.\n");
  say_below(out, &comparing, selection, style);
  grid_free(&comparing.grid);
  for (size_t r = 0; r < count; ++r)
    end_run(&runs[r]);
  return comparing.differs;
}
