// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Draws a chart on a canvas: ground, grid, roofs, points, names, legend. */
#include "chart/chart.h"

#include "common/numbers.h"

#include <math.h>
#include <string.h>

#define POINT_RADIUS 6.5

static const struct stroke no_stroke = {INK_GROUND, 0, 0};

/* ---- Axes ---- */
static void tick_label(struct text *text, int decade) {
  static const char *const small[] = {"0.001", "0.01", "0.1", "1", "10", "100"};
  if (decade >= -3 && decade <= 2)
    text_add(text, small[decade + 3]);
  else if (decade > 2 && decade < 21)
    text_format(text, "%d %c", (int)pow(10, decade % 3), "kMGTPE"[decade / 3 - 1]);
  else
    text_format(text, "1e%d", decade);
}

static void grid(const struct chart *chart, struct canvas *canvas, bool horizontal) {
  double low = horizontal ? chart->y_low : chart->x_low, high = horizontal ? chart->y_high : chart->x_high;
  for (int decade = (int)floor(low); decade <= (int)ceil(high); ++decade)
    for (int digit = 1; digit <= 9; ++digit) {
      double position = decade + log10(digit);
      if (position < low - 1e-9 || position > high + 1e-9)
        continue;
      struct stroke stroke = {digit == 1 ? INK_GRID : INK_MINOR, 1, 0};
      double at = horizontal ? chart_y(chart, pow(10, position)) : chart_x(chart, pow(10, position));
      if (horizontal)
        canvas->line(canvas, stroke, CHART_LEFT, at, CHART_RIGHT, at);
      else
        canvas->line(canvas, stroke, at, CHART_TOP, at, CHART_BOTTOM);
      if (digit != 1)
        continue;
      struct text label = {0};
      tick_label(&label, decade);
      struct lettering lettering = {INK_MUTED, 12.5, 0, horizontal ? ANCHOR_END : ANCHOR_MIDDLE,
                                    false,     false};
      if (horizontal)
        canvas->write(canvas, lettering, CHART_LEFT - 9, at + 4.5, text_get(&label));
      else
        canvas->write(canvas, lettering, at, CHART_BOTTOM + 19, text_get(&label));
      text_free(&label);
    }
}

static void axes(const struct chart *chart, struct canvas *canvas) {
  canvas->rectangle(canvas, INK_GROUND, 0, 0, CHART_WIDTH, CHART_HEIGHT);
  canvas->rectangle(canvas, INK_PLOT, CHART_LEFT, CHART_TOP, CHART_RIGHT - CHART_LEFT,
                    CHART_BOTTOM - CHART_TOP);
  grid(chart, canvas, false);
  grid(chart, canvas, true);
  struct stroke axis = {INK_AXIS, 1.2, 0};
  canvas->line(canvas, axis, CHART_LEFT, CHART_BOTTOM, CHART_RIGHT, CHART_BOTTOM);
  canvas->line(canvas, axis, CHART_LEFT, CHART_TOP, CHART_LEFT, CHART_BOTTOM);
  struct lettering name = {INK_TEXT, 13.5, 0, ANCHOR_MIDDLE, false, false};
  canvas->write(canvas, name, (CHART_LEFT + CHART_RIGHT) / 2, CHART_BOTTOM + 42,
                chart->dram_is_unique ? "arithmetic intensity, FLOP per byte of DRAM traffic "
                                        "(unique bytes, a lower bound of it)"
                                      : "arithmetic intensity, FLOP per byte of DRAM traffic");
  name.angle = -90;
  canvas->write(canvas, name, 28, (CHART_TOP + CHART_BOTTOM) / 2, "FLOP/s");
  struct lettering title = {INK_TEXT, 21, 0, ANCHOR_START, true, false};
  struct lettering subtitle = {INK_MUTED, 14, 0, ANCHOR_START, false, false};
  struct text shown = {0};
  text_elide(&shown, chart->title, 66, "…");
  canvas->write(canvas, title, CHART_LEFT, 44, text_get(&shown));
  text_free(&shown);
  text_elide(&shown, chart->subtitle, 124, "…");
  canvas->write(canvas, subtitle, CHART_LEFT, 70, text_get(&shown));
  text_free(&shown);
}

/* ---- Roofs ---- */
static void draw_line(struct canvas *canvas, struct stroke stroke, struct segment line) {
  canvas->line(canvas, stroke, line.x1, line.y1, line.x2, line.y2);
}

static void ridges(const struct chart *chart, struct canvas *canvas) {
  double last = -1e9;
  for (size_t i = 0; i < chart->ceiling_count; ++i) {
    const struct chart_line *ceiling = &chart->ceilings[i];
    double x = ceiling->line.x1;
    struct text label = {0};
    if (x <= CHART_LEFT)
      continue;
    draw_line(canvas, (struct stroke){INK_CEILING, 1, 2.5},
              (struct segment){x, ceiling->line.y1, x, CHART_BOTTOM - 22});
    canvas->mark(canvas, SHAPE_DIAMOND, INK_GROUND, 1, (struct stroke){INK_ROOF, 1.5, 0}, x, ceiling->line.y1,
                 4.5);
    if (fabs(x - last) < 46)
      continue;
    number_plain(&label, ceiling->value / chart->roofs[0].value);
    canvas->write(canvas, (struct lettering){INK_MUTED, 12, 0, ANCHOR_MIDDLE, false, true}, x,
                  CHART_BOTTOM - 7, text_get(&label));
    last = x;
    text_free(&label);
  }
}

static void roofs(const struct chart *chart, struct canvas *canvas) {
  for (size_t i = chart->roof_count; i-- > 0;) {
    const struct chart_line *roof = &chart->roofs[i];
    if (roof->hidden)
      continue;
    struct stroke strong = {INK_ROOF, 2.4, 0}, weak = {INK_CACHE, 1.3, 6};
    struct lettering lettering = {
        roof->main ? INK_ROOF : INK_MUTED, 13, roof->angle, ANCHOR_MIDDLE, roof->main, true};
    draw_line(canvas, roof->main ? strong : weak, roof->line);
    canvas->write(canvas, lettering, roof->label_x, roof->label_y, roof->label);
  }
  for (size_t i = 0; i < chart->ceiling_count; ++i) {
    const struct chart_line *ceiling = &chart->ceilings[i];
    struct stroke stroke = {ceiling->main ? INK_ROOF : INK_CEILING, ceiling->main ? 2.4 : 1.6, 0};
    struct lettering lettering = {
        ceiling->main ? INK_ROOF : INK_MUTED, 13, 0, ANCHOR_END, ceiling->main, true};
    draw_line(canvas, stroke, ceiling->line);
    canvas->write(canvas, lettering, ceiling->label_x, ceiling->label_y, ceiling->label);
  }
  ridges(chart, canvas);
}

/* ---- Points ---- */
static double clamp(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

static void leader(const struct chart_point *point, struct canvas *canvas) {
  const struct box *box = &point->label;
  double x = clamp(point->x, box->x, box->x + box->width),
         y = clamp(point->y, box->y + 2, box->y + box->height - 2);
  double length = hypot(x - point->x, y - point->y), radius = POINT_RADIUS + 1;
  if (!point->labelled || length < POINT_RADIUS + 9)
    return;
  canvas->line(canvas, (struct stroke){point->ink, 0.9, 0}, point->x + (x - point->x) * radius / length,
               point->y + (y - point->y) * radius / length, x, y);
}

static void requested(const struct chart_point *point, struct canvas *canvas) {
  if (!point->has_requested)
    return;
  canvas->line(canvas, (struct stroke){point->ink, 1, 2.5}, point->requested_x, point->y, point->x, point->y);
  canvas->mark(canvas, point->shape, point->ink, 0.45, no_stroke, point->requested_x, point->y, 4);
}

/* As hierarchical rooflines have them: a mark for each cache, on the height of the point. */
static void levels(const struct chart_point *point, struct canvas *canvas) {
  for (size_t i = 0; i < point->level_count; ++i) {
    const struct level_mark *level = &point->levels[i];
    canvas->line(canvas, (struct stroke){point->ink, 0.8, 2.5}, level->x, point->y, point->x, point->y);
    canvas->mark(canvas, SHAPE_DIAMOND, INK_GROUND, 1, (struct stroke){point->ink, 1.5, 0}, level->x, point->y, 4.5);
    canvas->write(canvas, (struct lettering){INK_MUTED, 10, 0, ANCHOR_MIDDLE, false, true}, level->x, point->y + 15, level->name);
  }
}

static void marker(const struct chart_point *point, struct canvas *canvas) {
  if (point->by_requested) {
    canvas->group(canvas, point->title, point->rows);
    canvas->mark(canvas, point->shape, point->ink, 0.45, no_stroke, point->x, point->y, 5.5);
    canvas->ungroup(canvas);
    return;
  }
  struct stroke outline = {point->above_roof ? INK_ALARM
                           : point->hollow   ? point->ink
                                             : INK_GROUND,
                           point->hollow || point->above_roof ? 2.4 : 1.4, 0};
  canvas->group(canvas, point->title, point->rows);
  canvas->mark(canvas, point->shape, point->hollow ? INK_GROUND : point->ink, 1, outline, point->x, point->y,
               POINT_RADIUS);
  canvas->ungroup(canvas);
}

static void name(const struct chart_point *point, struct canvas *canvas) {
  bool at_right = point->label.x + point->label.width / 2 >= point->x;
  for (size_t i = 0; point->labelled && i < point->line_count; ++i) {
    struct lettering lettering = {i || point->by_requested ? INK_MUTED
                                  : point->above_roof      ? INK_ALARM
                                                           : INK_TEXT,
                                  LABEL_SIZE,
                                  0,
                                  at_right ? ANCHOR_START : ANCHOR_END,
                                  false,
                                  true};
    canvas->write(canvas, lettering, at_right ? point->label.x : point->label.x + point->label.width,
                  point->label.y + 12.5 + LABEL_LINE * (double)i, point->lines[i]);
  }
}

static void points(const struct chart *chart, struct canvas *canvas) {
  for (size_t i = 0; i < chart->point_count; ++i) {
    requested(&chart->points[i], canvas);
    levels(&chart->points[i], canvas);
  }
  for (size_t i = 0; i < chart->point_count; ++i)
    leader(&chart->points[i], canvas);
  for (size_t i = 0; i < chart->point_count; ++i)
    marker(&chart->points[i], canvas);
  for (size_t i = 0; i < chart->point_count; ++i)
    name(&chart->points[i], canvas);
  if (!chart->point_count)
    canvas->write(canvas, (struct lettering){INK_MUTED, 17, 0, ANCHOR_MIDDLE, false, true},
                  (CHART_LEFT + CHART_RIGHT) / 2, (CHART_TOP + CHART_BOTTOM) / 2 + 90,
                  "no region or kernel executed floating-point work");
}

/* ---- Legend ---- */
struct legend {
  struct canvas *canvas;
  double x, y;
};

/* Room for one more item; starts a new row where it does not fit. Returns where its sign goes. */
static double legend_item(struct legend *legend, double sign_width, const char *string) {
  double width = sign_width + 8 + lettering_width(string, 12.5, false);
  if (legend->x > CHART_LEFT && legend->x + width > CHART_RIGHT) {
    legend->x = CHART_LEFT;
    legend->y += 22;
  }
  double x = legend->x;
  legend->canvas->write(legend->canvas, (struct lettering){INK_MUTED, 12.5, 0, ANCHOR_START, false, false},
                        x + sign_width + 6, legend->y + 4.5, string);
  legend->x += width + 20;
  return x + sign_width / 2;
}

static void legend_mark(struct legend *legend, enum shape shape, enum ink fill, double opacity,
                        struct stroke stroke, double radius, const char *string) {
  double x = legend_item(legend, 2 * POINT_RADIUS, string), y = legend->y;
  legend->canvas->mark(legend->canvas, shape, fill, opacity, stroke, x, y, radius);
}

static void legend_phases(const struct chart *chart, struct legend *legend) {
  bool drawn[INK_COUNT] = {false};
  for (size_t i = 0; i < chart->point_count; ++i) {
    const struct chart_point *point = &chart->points[i];
    if (drawn[point->ink] || point->ink == INK_UNNAMED)
      continue;
    drawn[point->ink] = true;
    legend_mark(legend, SHAPE_CIRCLE, point->ink, 1, no_stroke, 5,
                point->ink == INK_OTHER ? "other phase" : inks[point->ink].class);
  }
}

static void legend_draw(const struct chart *chart, struct canvas *canvas) {
  bool region = false, kernel = false, hollow = false, asked = false, alarm = false, cache = false;
  for (size_t i = 0; i < chart->point_count; ++i) {
    const struct chart_point *point = &chart->points[i];
    region |= point->shape == SHAPE_CIRCLE;
    kernel |= point->shape == SHAPE_SQUARE;
    hollow |= point->hollow && !point->by_requested;
    asked |= point->has_requested || point->by_requested;
    alarm |= point->above_roof;
    cache |= point->level_count > 0;
  }
  struct legend legend = {canvas, CHART_LEFT, CHART_BOTTOM + 76};
  legend_phases(chart, &legend);
  struct stroke outline = {INK_UNNAMED, 2, 0};
  if (region)
    legend_mark(&legend, SHAPE_CIRCLE, INK_GROUND, 1, outline, 5.5, "region");
  if (kernel)
    legend_mark(&legend, SHAPE_SQUARE, INK_GROUND, 1, outline, 5.5, "kernel");
  if (asked)
    legend_mark(&legend, SHAPE_CIRCLE, INK_UNNAMED, 0.45, no_stroke, 4, "at requested bytes");
  if (cache)
    legend_mark(&legend, SHAPE_DIAMOND, INK_GROUND, 1, (struct stroke){INK_UNNAMED, 1.5, 0}, 4.5, "at bytes of a cache");
  legend_mark(&legend, SHAPE_DIAMOND, INK_GROUND, 1, (struct stroke){INK_ROOF, 1.5, 0}, 4.5, "ridge");
  if (alarm)
    legend_mark(&legend, SHAPE_CIRCLE, INK_UNNAMED, 1, (struct stroke){INK_ALARM, 2.4, 0}, 5.5,
                "above the roof: a wrong ceiling or time");
  if (hollow)
    legend_mark(&legend, SHAPE_CIRCLE, INK_GROUND, 1, (struct stroke){INK_FORWARD, 2.4, 0}, 5.5,
                "hollow: no GPU time, drawn at the attainable rate");
  if (*chart->footnote)
    canvas->write(canvas, (struct lettering){INK_MUTED, 12, 0, ANCHOR_START, false, false}, CHART_LEFT,
                  CHART_HEIGHT - 11, chart->footnote);
}

static void draw(const void *data, struct canvas *canvas) {
  const struct chart *chart = data;
  axes(chart, canvas);
  roofs(chart, canvas);
  points(chart, canvas);
  legend_draw(chart, canvas);
}

struct picture chart_picture(const struct chart *chart) {
  return (struct picture){CHART_WIDTH, CHART_HEIGHT, chart->title, draw, chart};
}
