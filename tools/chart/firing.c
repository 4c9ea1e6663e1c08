// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chart/firing.h"

#include "common/numbers.h"
#include "spiking/layers.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 1100.0
#define LEFT 228.0
#define RIGHT 990.0
#define TOP 112.0
#define BELOW 74.0 /* ticks, their name, legend */
#define ROW_GAP 10.0
#define MOST_ROWS 24
#define NAME_COLUMNS 28   /* longer paths take two lines */
#define AROUND_COLUMNS 36 /* of their first line */
#define NUMBER_WIDTH 40.0 /* a bar from this width on has a number */
#define LABEL_ROOM 20.0   /* a bar from this height on holds its number */
#define MOST_BARS 256
#define MOST_STEPS (1LL << 40)

/* ---- Building ---- */

static bool is_drawn(const struct layer_step *step) {
  return step->number.kind == VALUE_WHOLE && step->number.magnitude < (uint64_t)MOST_STEPS &&
         step->counts.firing_rate.known;
}

static long long number_of_step(const struct layer_step *step) {
  return step->number.negative ? -(long long)step->number.magnitude : (long long)step->number.magnitude;
}

static bool has_rates(const struct layer *layer) {
  for (size_t s = 0; s < layer->step_count; ++s)
    if (is_drawn(&layer->steps[s]))
      return true;
  return false;
}

static bool is_equal(struct count a, struct count b) { return a.known == b.known && a.value == b.value; }

/* Whether the layer around it has the same spikes and no others, and bars of its own. */
static bool is_repeated(const struct layers *layers, const struct layer *layer) {
  if (layer->parent == NO_LAYER || !has_rates(&layers->items[layer->parent]))
    return false;
  const struct layer_counts *own = &layer->counts, *around = &layers->items[layer->parent].counts;
  return own->silent.known && is_equal(own->positive, around->positive) &&
         is_equal(own->negative, around->negative) && is_equal(own->silent, around->silent);
}

static bool has_row(const struct layers *layers, const struct layer *layer) {
  return has_rates(layer) && !is_repeated(layers, layer);
}

static void find_range(struct firing *firing, const struct layers *layers) {
  for (size_t i = 0; i < layers->count; ++i)
    for (size_t s = 0; s < layers->items[i].step_count; ++s) {
      if (!is_drawn(&layers->items[i].steps[s]))
        continue;
      const long long number = number_of_step(&layers->items[i].steps[s]);
      firing->first = number < firing->first ? number : firing->first;
      firing->last = number > firing->last ? number : firing->last;
    }
}

/* Where only a rate is known, it counts as one value. */
static void add_step(struct firing_bar *bar, const struct layer_counts *counts) {
  const bool known = counts->silent.known && layer_spikes(counts).known;
  bar->positive += known ? (double)counts->positive.value : counts->firing_rate.value;
  bar->negative += known ? (double)counts->negative.value : 0;
  bar->values +=
      known ? (double)counts->positive.value + (double)counts->negative.value + (double)counts->silent.value
            : 1;
}

/* The last part of the path names the layer. The parts before it tell layers of one name apart. */
static void name_row(struct firing_row *row, const char *path, const char *number) {
  const char *last = strrchr(path, '/');
  const bool is_long = last && text_width(path) > NAME_COLUMNS;
  struct text text = {0};
  text_format(&text, "%s%s", path, number);
  row->path = copy_string(text_get(&text));
  text_free(&text);
  text_format(&text, "%s%s", is_long ? last + 1 : path, number);
  row->name = copy_string(text_get(&text));
  text_free(&text);
  text_format(&text, "%.*s", is_long ? (int)(last + 1 - path) : 0, path);
  row->around = copy_string(text_get(&text));
  text_free(&text);
}

static void add_row(struct firing *firing, const struct layer *layer, const char *number) {
  struct firing_row *row = &firing->rows[firing->row_count++];
  *row = (struct firing_row){.rate = layer->counts.firing_rate.known ? layer->counts.firing_rate.value : NAN};
  name_row(row, layer->path, number);
  row->bars = allocate(firing->bar_count * sizeof *row->bars);
  for (size_t b = 0; b < firing->bar_count; ++b) {
    const long long first = firing->first + (long long)b * firing->steps_a_bar,
                    last = first + firing->steps_a_bar - 1;
    row->bars[b] =
        (struct firing_bar){.first = first, .last = last < firing->last ? last : firing->last, .rate = NAN};
  }
  for (size_t s = 0; s < layer->step_count; ++s)
    if (is_drawn(&layer->steps[s]))
      add_step(&row->bars[(number_of_step(&layer->steps[s]) - firing->first) / firing->steps_a_bar],
               &layer->steps[s].counts);
  for (size_t b = 0; b < firing->bar_count; ++b) {
    struct firing_bar *bar = &row->bars[b];
    if (bar->values <= 0)
      continue;
    bar->rate = (bar->positive + bar->negative) / bar->values;
    firing->highest = bar->rate > firing->highest ? bar->rate : firing->highest;
    firing->has_negative |= bar->negative > 0;
  }
}

static const struct layer *find_layer(const struct layers *layers, const char *path) {
  for (size_t i = 0; i < layers->count; ++i)
    if (!strcmp(layers->items[i].path, path))
      return has_row(layers, &layers->items[i]) ? &layers->items[i] : NULL;
  return NULL;
}

/* A layer of each document, one below the other, with the document's number where there are several. */
static void add_rows(struct firing *firing, const struct layers *layers, size_t documents, const char *path) {
  for (size_t d = 0; d < documents && firing->row_count < MOST_ROWS; ++d) {
    const struct layer *layer = find_layer(&layers[d], path);
    struct text number = {0};
    if (!layer)
      continue;
    if (documents > 1)
      text_format(&number, " [%zu]", d + 1);
    add_row(firing, layer, text_get(&number));
    text_free(&number);
  }
}

static bool is_in_earlier(const struct layers *layers, size_t document, const char *path) {
  for (size_t d = 0; d < document; ++d)
    if (find_layer(&layers[d], path))
      return true;
  return false;
}

static void add_all_rows(struct firing *firing, const struct layers *layers, size_t documents) {
  size_t rows = 0;
  for (size_t d = 0; d < documents; ++d)
    for (size_t i = 0; i < layers[d].count; ++i) {
      const struct layer *layer = &layers[d].items[i];
      rows += has_row(&layers[d], layer);
      if (has_row(&layers[d], layer) && firing->row_count < MOST_ROWS &&
          !is_in_earlier(layers, d, layer->path))
        add_rows(firing, layers, documents, layer->path);
    }
  firing->too_many = rows - firing->row_count;
}

static struct layers layers_drawn(const struct document *document, const struct selection *selection) {
  struct layers layers = {0};
  if (selection->regions)
    layers = layers_of(document, false, LAYERS_SPIKING);
  if (selection->kernels && !layers.count) {
    layers_free(&layers);
    layers = layers_of(document, true, LAYERS_SPIKING);
  }
  return layers;
}

static void name_picture(struct firing *firing, const struct document *documents, size_t count,
                         const char *title) {
  struct text text = {0};
  if (title)
    text_plain(&text, title);
  else {
    text_add(&text, "Firing rate");
    if (count == 1) {
      text_add(&text, " · ");
      text_plain(&text, document_title(&documents[0]));
    }
  }
  firing->title = text.data ? text.data : copy_string("");
  text = (struct text){0};
  text_add(&text, "spikes over all values, a row a layer");
  if (firing->steps_a_bar > 1)
    text_format(&text, ", a bar the mean of %lld steps", firing->steps_a_bar);
  else
    text_add(&text, ", a bar a time step");
  for (size_t d = 0; count > 1 && d < count; ++d) {
    const char *slash = strrchr(documents[d].file, '/');
    text_format(&text, " · [%zu] ", d + 1);
    text_plain(&text, slash ? slash + 1 : documents[d].file);
  }
  firing->subtitle = text.data;
}

static void size_picture(struct firing *firing) {
  const double wanted = 460.0 / (double)firing->row_count;
  firing->row_height = fmin(96, fmax(28, wanted));
  firing->height = TOP + (double)firing->row_count * (firing->row_height + ROW_GAP) + BELOW;
}

char *firing_build(struct firing *firing, const struct document *documents, size_t count,
                   const struct selection *selection, const char *title) {
  struct layers *layers = allocate(count * sizeof *layers);
  *firing = (struct firing){.first = LLONG_MAX, .last = LLONG_MIN, .steps_a_bar = 1};
  for (size_t d = 0; d < count; ++d) {
    layers[d] = layers_drawn(&documents[d], selection);
    find_range(firing, &layers[d]);
  }
  if (firing->first <= firing->last) {
    const long long steps = firing->last - firing->first + 1;
    firing->steps_a_bar = (steps + MOST_BARS - 1) / MOST_BARS;
    firing->bar_count = (size_t)((steps + firing->steps_a_bar - 1) / firing->steps_a_bar);
    firing->rows = allocate(MOST_ROWS * sizeof *firing->rows);
  }
  if (firing->rows)
    add_all_rows(firing, layers, count);
  for (size_t d = 0; d < count; ++d)
    layers_free(&layers[d]);
  free(layers);
  if (!firing->row_count)
    return copy_string("no layer has a firing rate for each time step: put '#pragma gpuprof spike(s)' where "
                       "values are spikes and "
                       "'#pragma gpuprof step(t)' where a step begins.");
  name_picture(firing, documents, count, title);
  size_picture(firing);
  return NULL;
}

void firing_free(struct firing *firing) {
  for (size_t i = 0; i < firing->row_count; ++i) {
    free(firing->rows[i].path);
    free(firing->rows[i].name);
    free(firing->rows[i].around);
    free(firing->rows[i].bars);
  }
  free(firing->rows);
  free(firing->title);
  free(firing->subtitle);
  *firing = (struct firing){.first = 0};
}

/* ---- Drawing ---- */

static const struct stroke axis = {INK_AXIS, 1.2, 0}, grid = {INK_GRID, 1, 0};

static void write(struct canvas *canvas, enum ink ink, double size, enum anchor anchor, double x, double y,
                  const char *string) {
  canvas->write(canvas, (struct lettering){ink, size, 0, anchor, false, false}, x, y, string);
}

static void write_rate(struct canvas *canvas, enum ink ink, double size, enum anchor anchor, double x,
                       double y, double rate) {
  struct text shown = {0};
  number_plain(&shown, rate);
  write(canvas, ink, size, anchor, x, y, text_get(&shown));
  text_free(&shown);
}

static double bar_width(const struct firing *firing) { return (RIGHT - LEFT) / (double)firing->bar_count; }

static double row_bottom(const struct firing *firing, size_t row) {
  return TOP + (double)row * (firing->row_height + ROW_GAP) + firing->row_height;
}

static void bar_title(struct text *title, const struct firing_row *row, const struct firing_bar *bar) {
  text_plain(title, row->path);
  text_format(title, bar->first == bar->last ? "\nstep %lld: " : "\nsteps %lld to ", bar->first);
  if (bar->first != bar->last)
    text_format(title, "%lld: ", bar->last);
  number_plain(title, bar->rate);
  if (bar->values > 1)
    text_format(title, "\n%.0f positive, %.0f negative of %.0f values", bar->positive, bar->negative,
                bar->values);
}

static double scale_of(const struct firing *firing) {
  return firing->highest > 0 ? firing->row_height / firing->highest : 0;
}

/* Numbers stand in all bars of a row, or above all with room there. */
static bool holds_numbers(const struct firing *firing, const struct firing_row *row) {
  for (size_t b = 0; b < firing->bar_count; ++b)
    if (!isnan(row->bars[b].rate) &&
        row->bars[b].positive / row->bars[b].values * scale_of(firing) < LABEL_ROOM)
      return false;
  return true;
}

static void draw_number(struct canvas *canvas, const struct firing *firing, const struct firing_bar *bar,
                        bool held, double x, double bottom) {
  const double top = bottom - bar->rate * scale_of(firing),
               blue = bottom - bar->positive / bar->values * scale_of(firing);
  const bool inside =
      held || (top - bottom + firing->row_height < LABEL_ROOM / 2 && bottom - blue >= LABEL_ROOM);
  write_rate(canvas, inside ? INK_GROUND : INK_MUTED, 11.5, ANCHOR_MIDDLE, x, inside ? blue + 14 : top - 4,
             bar->rate);
}

static void draw_bar(struct canvas *canvas, const struct firing *firing, const struct firing_row *row,
                     size_t index, double bottom) {
  const struct firing_bar *bar = &row->bars[index];
  const double width = bar_width(firing), gap = width > 8 ? fmin(6, width * 0.12) : width > 3 ? 1 : 0;
  const double x = LEFT + (double)index * width + gap / 2;
  const double positive = bar->positive / bar->values * scale_of(firing),
               negative = bar->negative / bar->values * scale_of(firing);
  struct text title = {0};
  bar_title(&title, row, bar);
  canvas->group(canvas, text_get(&title), "");
  canvas->rectangle(canvas, INK_FORWARD, x, bottom - positive, width - gap, positive);
  if (negative > 0)
    canvas->rectangle(canvas, INK_BACKWARD, x, bottom - positive - negative, width - gap, negative);
  canvas->ungroup(canvas);
  text_free(&title);
}

/* Both lines end with the difference between layers, so long ones lose their middle. */
static void draw_name(struct canvas *canvas, const struct firing_row *row, double middle) {
  const bool two = row->around[0];
  struct text text = {0};
  text_elide(&text, row->name, NAME_COLUMNS + 2, "…");
  write(canvas, INK_TEXT, 13.5, ANCHOR_END, LEFT - 12, two ? middle + 8 : middle, text_get(&text));
  text_free(&text);
  if (!two)
    return;
  text_elide(&text, row->around, AROUND_COLUMNS, "…");
  write(canvas, INK_MUTED, 11, ANCHOR_END, LEFT - 12, middle - 8, text_get(&text));
  text_free(&text);
}

static void draw_row(struct canvas *canvas, const struct firing *firing, size_t index) {
  const struct firing_row *row = &firing->rows[index];
  const double bottom = row_bottom(firing, index), middle = bottom - firing->row_height / 2 + 5;
  canvas->rectangle(canvas, INK_PLOT, LEFT, bottom - firing->row_height, RIGHT - LEFT, firing->row_height);
  canvas->line(canvas, grid, LEFT, bottom - firing->row_height, RIGHT, bottom - firing->row_height);
  for (size_t b = 0; b < firing->bar_count; ++b)
    if (!isnan(row->bars[b].rate))
      draw_bar(canvas, firing, row, b, bottom);
  const bool held = holds_numbers(firing, row);
  for (size_t b = 0; b < firing->bar_count && bar_width(firing) >= NUMBER_WIDTH; ++b)
    if (!isnan(row->bars[b].rate))
      draw_number(canvas, firing, &row->bars[b], held, LEFT + ((double)b + 0.5) * bar_width(firing), bottom);
  canvas->line(canvas, axis, LEFT, bottom, RIGHT, bottom);
  draw_name(canvas, row, middle);
  if (!isnan(row->rate))
    write_rate(canvas, INK_TEXT, 13.5, ANCHOR_END, WIDTH - 36, middle, row->rate);
}

/* At most a dozen numbers, at usual steps. */
static void draw_steps(struct canvas *canvas, const struct firing *firing) {
  static const long long nice[] = {1, 2, 5};
  const double bottom = row_bottom(firing, firing->row_count - 1), width = bar_width(firing);
  long long every = 1, scale = 1;
  for (size_t n = 0; (firing->last - firing->first) / every > 15; ++n) {
    scale *= n % 3 == 2 ? 10 : 1;
    every = nice[(n + 1) % 3] * scale;
  }
  for (size_t b = 0; b < firing->bar_count; ++b) {
    const struct firing_bar *bar = &firing->rows[0].bars[b];
    long long shown = bar->first + ((every - bar->first % every) % every);
    if (shown > bar->last)
      continue;
    struct text text = {0};
    text_format(&text, "%lld", shown);
    write(canvas, INK_MUTED, 12.5, ANCHOR_MIDDLE, LEFT + ((double)b + 0.5) * width, bottom + 18,
          text_get(&text));
    text_free(&text);
  }
  write(canvas, INK_TEXT, 13.5, ANCHOR_MIDDLE, (LEFT + RIGHT) / 2, bottom + 40, "time step");
}

static void draw_legend(struct canvas *canvas, const struct firing *firing) {
  const double y = row_bottom(firing, firing->row_count - 1) + 36;
  struct text text = {0};
  if (firing->has_negative) {
    canvas->rectangle(canvas, INK_FORWARD, LEFT, y - 6, 11, 11);
    write(canvas, INK_MUTED, 12.5, ANCHOR_START, LEFT + 17, y + 4, "+1");
    canvas->rectangle(canvas, INK_BACKWARD, LEFT + 48, y - 6, 11, 11);
    write(canvas, INK_MUTED, 12.5, ANCHOR_START, LEFT + 65, y + 4, "-1");
  }
  if (firing->too_many) {
    text_format(&text, "%zu more layers are not drawn", firing->too_many);
    write(canvas, INK_MUTED, 12.5, ANCHOR_END, RIGHT, y + 4, text_get(&text));
    text_free(&text);
  }
}

static void draw_heads(struct canvas *canvas, const struct firing *firing) {
  struct text text = {0};
  canvas->write(canvas, (struct lettering){INK_TEXT, 21, 0, ANCHOR_START, true, false}, 36, 44,
                (text_elide(&text, firing->title, 76, "…"), text_get(&text)));
  text_free(&text);
  text_elide(&text, firing->subtitle, 140, "…");
  write(canvas, INK_MUTED, 14, ANCHOR_START, 36, 70, text_get(&text));
  text_free(&text);
  write(canvas, INK_MUTED, 12.5, ANCHOR_END, WIDTH - 36, TOP - 12, "all steps");
  text_add(&text, "full height: ");
  number_plain(&text, firing->highest);
  write(canvas, INK_MUTED, 12.5, ANCHOR_END, RIGHT, TOP - 12, text_get(&text));
  text_free(&text);
  write(canvas, INK_MUTED, 12.5, ANCHOR_END, LEFT - 12, TOP - 12, "layer");
}

static void draw(const void *data, struct canvas *canvas) {
  const struct firing *firing = data;
  canvas->rectangle(canvas, INK_GROUND, 0, 0, WIDTH, firing->height);
  draw_heads(canvas, firing);
  for (size_t i = 0; i < firing->row_count; ++i)
    draw_row(canvas, firing, i);
  draw_steps(canvas, firing);
  draw_legend(canvas, firing);
}

struct picture firing_picture(const struct firing *firing) {
  return (struct picture){WIDTH, firing->height, firing->title, draw, firing};
}
