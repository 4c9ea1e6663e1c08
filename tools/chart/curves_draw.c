// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chart/curves.h"

#include "common/numbers.h"

#include <math.h>
#include <string.h>

#define WIDTH 1120.0
#define TOP 92.0
#define PANEL_ROW 282.0
#define PANEL_TOP 34.0 /* of the axes in their row */
#define PANEL_HEIGHT 190.0
#define LEFT 92.0 /* of the axes in their column */
#define COLUMN 540.0
#define PANEL_WIDTH 424.0
#define LEGEND_ROW 22.0
#define EDGE 18.0 /* between an axis and the first value */

static const struct stroke axis = {INK_AXIS, 1.2, 0}, grid = {INK_GRID, 1, 0};

/* Colours first: where they are used up, the shape changes. */
static enum ink curve_ink(size_t index) {
  static const enum ink colours[] = {INK_FORWARD, INK_BACKWARD, INK_OPTIMIZER, INK_COMMUNICATION, INK_OTHER, INK_UNNAMED};
  return colours[index % (sizeof colours / sizeof *colours)];
}

static enum shape curve_shape(size_t index) { return index < 6 ? SHAPE_CIRCLE : SHAPE_SQUARE; }

static void write(struct canvas *canvas, enum ink ink, double size, enum anchor anchor, double x, double y, const char *string) {
  canvas->write(canvas, (struct lettering){ink, size, 0, anchor, false, false}, x, y, string);
}

static void show_value(struct text *text, enum measure measure, double value) {
  if (measure == MEASURE_TIME)
    number_time(text, value * 1e9);
  else if (measure == MEASURE_PERCENT)
    number_percent(text, value);
  else if (measure == MEASURE_INTENSITY)
    number_plain(text, value);
  else
    number_si(text, value, measures[measure].unit);
}

/* ---- A panel's axes ---- */

struct place {
  double left, top;
};

static struct place place_of(size_t panel) {
  return (struct place){LEFT + (double)(panel % 2) * COLUMN, TOP + (double)(panel / 2) * PANEL_ROW + PANEL_TOP};
}

static double x_of(const struct curves *curves, struct place place, size_t value) {
  return place.left + EDGE + curves->places[value] * (PANEL_WIDTH - 2 * EDGE);
}

static double y_of(const struct panel *panel, struct place place, double value) {
  const double shown = panel->log ? log10(fmax(value, 1e-300)) : value;
  const double share = (shown - panel->low) / (panel->high - panel->low);
  return place.top + PANEL_HEIGHT * (1 - fmin(fmax(share, 0), 1));
}

static void draw_tick(struct canvas *canvas, const struct panel *panel, struct place place, double value) {
  const double y = y_of(panel, place, value);
  struct text text = {0};
  show_value(&text, panel->measure, value);
  canvas->line(canvas, grid, place.left, y, place.left + PANEL_WIDTH, y);
  write(canvas, INK_MUTED, 12, ANCHOR_END, place.left - 8, y + 4, text_get(&text));
  text_free(&text);
}

/* 1, 2 and 5 times powers of ten, or the powers alone where they are many. */
static void draw_log_ticks(struct canvas *canvas, const struct panel *panel, struct place place) {
  static const double marks[] = {1, 2, 5};
  const double decades = panel->high - panel->low;
  const double every = fmax(1, ceil(decades / 7));
  for (double decade = floor(panel->low); decade <= panel->high; decade += every)
    for (size_t i = 0; i < (decades <= 2.4 ? 3 : 1); ++i) {
      const double value = marks[i] * pow(10, decade);
      if (log10(value) >= panel->low - 1e-9 && log10(value) <= panel->high + 1e-9)
        draw_tick(canvas, panel, place, value);
    }
}

static void draw_even_ticks(struct canvas *canvas, const struct panel *panel, struct place place) {
  const double rough = panel->high / 4, power = pow(10, floor(log10(rough)));
  const double step = rough / power >= 5 ? 5 * power : rough / power >= 2 ? 2 * power : power;
  for (double value = 0; value <= panel->high * (1 + 1e-9); value += step)
    draw_tick(canvas, panel, place, value);
}

/* Values whose names would touch the one before have none. */
static void draw_parameter(struct canvas *canvas, const struct curves *curves, struct place place) {
  double free_from = -INFINITY;
  const double bottom = place.top + PANEL_HEIGHT;
  for (size_t i = 0; i < curves->over->count; ++i) {
    const double x = x_of(curves, place, i), half = lettering_width(curves->over->values[i], 12, false) / 2;
    canvas->line(canvas, axis, x, bottom, x, bottom + 4);
    if (x - half < free_from)
      continue;
    struct text text = {0}, plain = {0};
    text_plain(&plain, curves->over->values[i]);
    text_elide(&text, text_get(&plain), 12, "…");
    write(canvas, INK_MUTED, 12, ANCHOR_MIDDLE, x, bottom + 18, text_get(&text));
    free_from = x + half + 8;
    text_free(&text);
    text_free(&plain);
  }
}

static void draw_axes(struct canvas *canvas, const struct curves *curves, const struct panel *panel, struct place place) {
  const double bottom = place.top + PANEL_HEIGHT;
  canvas->rectangle(canvas, INK_PLOT, place.left, place.top, PANEL_WIDTH, PANEL_HEIGHT);
  (panel->log ? draw_log_ticks : draw_even_ticks)(canvas, panel, place);
  canvas->line(canvas, axis, place.left, bottom, place.left + PANEL_WIDTH, bottom);
  canvas->line(canvas, axis, place.left, place.top, place.left, bottom);
  draw_parameter(canvas, curves, place);
  canvas->write(canvas, (struct lettering){INK_TEXT, 14, 0, ANCHOR_START, true, false}, place.left, place.top - 10,
                panel->measure == MEASURE_TIME && curves->on_cpu ? "time on the CPU device" : measures[panel->measure].title);
  write(canvas, INK_MUTED, 12.5, ANCHOR_MIDDLE, place.left + PANEL_WIDTH / 2, bottom + 36, curves->over->name);
}

/* ---- Curves ---- */

static double scaled(enum measure measure, double value) { return measure == MEASURE_TIME ? value * 1e-9 : value; }

static void draw_point(struct canvas *canvas, const struct curves *curves, const struct panel *panel, struct place place, size_t curve,
                       size_t value) {
  const struct estimate at = curves->curves[curve].values[panel->measure][value];
  const double x = x_of(curves, place, value), y = y_of(panel, place, scaled(panel->measure, at.mean));
  struct text title = {0};
  text_plain(&title, curves->curves[curve].label);
  text_add(&title, "\n");
  text_plain(&title, curves->over->name);
  text_add(&title, " ");
  text_plain(&title, curves->over->values[value]);
  text_add(&title, ": ");
  show_value(&title, panel->measure, scaled(panel->measure, at.mean));
  if (at.half > 0) {
    text_add(&title, " ± ");
    show_value(&title, panel->measure, scaled(panel->measure, at.half));
  }
  canvas->group(canvas, text_get(&title), "");
  if (at.half > 0)
    canvas->line(canvas, (struct stroke){curve_ink(curve), 1.4, 0}, x,
                 y_of(panel, place, scaled(panel->measure, at.mean - at.half)), x,
                 y_of(panel, place, scaled(panel->measure, at.mean + at.half)));
  canvas->mark(canvas, curve_shape(curve), curve_ink(curve), 1, (struct stroke){INK_GROUND, 1, 0}, x, y, 4.5);
  canvas->ungroup(canvas);
  text_free(&title);
}

/* Lines join values that follow one another; a value that is missing breaks them. */
static void draw_curve(struct canvas *canvas, const struct curves *curves, const struct panel *panel, struct place place, size_t curve) {
  const struct estimate *values = curves->curves[curve].values[panel->measure];
  for (size_t v = 1; v < curves->over->count; ++v)
    if (values[v - 1].known && values[v].known)
      canvas->line(canvas, (struct stroke){curve_ink(curve), 1.8, curve < 6 ? 0 : 5}, x_of(curves, place, v - 1),
                   y_of(panel, place, scaled(panel->measure, values[v - 1].mean)), x_of(curves, place, v),
                   y_of(panel, place, scaled(panel->measure, values[v].mean)));
  for (size_t v = 0; v < curves->over->count; ++v)
    if (values[v].known)
      draw_point(canvas, curves, panel, place, curve, v);
}

static void draw_legend(struct canvas *canvas, const struct curves *curves) {
  const double top = TOP + (double)((curves->panel_count + 1) / 2) * PANEL_ROW + 4;
  for (size_t c = 0; c < curves->curve_count; ++c) {
    const double x = LEFT + (double)(c % 2) * COLUMN, y = top + (double)(c / 2) * LEGEND_ROW;
    canvas->line(canvas, (struct stroke){curve_ink(c), 1.8, c < 6 ? 0 : 5}, x, y, x + 26, y);
    canvas->mark(canvas, curve_shape(c), curve_ink(c), 1, (struct stroke){INK_GROUND, 1, 0}, x + 13, y, 4.5);
    write(canvas, INK_TEXT, 13, ANCHOR_START, x + 34, y + 4.5, curves->curves[c].label);
  }
}

static void draw_heads(struct canvas *canvas, const struct curves *curves) {
  struct text text = {0};
  text_elide(&text, curves->title, 84, "…");
  canvas->write(canvas, (struct lettering){INK_TEXT, 21, 0, ANCHOR_START, true, false}, 36, 42, text_get(&text));
  text_free(&text);
  text_elide(&text, curves->subtitle, 150, "…");
  write(canvas, INK_MUTED, 14, ANCHOR_START, 36, 68, text_get(&text));
  text_free(&text);
}

static void draw(const void *data, struct canvas *canvas) {
  const struct curves *curves = data;
  canvas->rectangle(canvas, INK_GROUND, 0, 0, WIDTH, curves->height);
  draw_heads(canvas, curves);
  for (size_t p = 0; p < curves->panel_count; ++p) {
    draw_axes(canvas, curves, &curves->panels[p], place_of(p));
    for (size_t c = curves->curve_count; c-- > 0;)
      draw_curve(canvas, curves, &curves->panels[p], place_of(p), c);
  }
  draw_legend(canvas, curves);
}

struct picture curves_picture(const struct curves *curves) {
  return (struct picture){WIDTH, curves->height, curves->title, draw, curves};
}
