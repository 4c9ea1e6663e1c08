// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chart/memory_curves.h"

#include "common/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 1100.0
#define LEFT 204.0
#define RIGHT 930.0
#define TOP 112.0
#define BELOW 74.0
#define GAP 22.0
#define MOST_PANELS 12
#define MOST_POINTS 4096 /* of a document that somebody else wrote */

/* ---- Building ---- */

static const struct json *part(const struct document *document, const struct json *object, const char *path) {
  return json_find(&document->tree, object, path);
}

static double number_at(const struct document *document, const struct json *object, const char *path) {
  const struct count count = count_of(part(document, object, path));
  return count.known ? (double)count.value : NAN;
}

static double *numbers_of(const struct json *array, size_t count) {
  double *numbers = allocate((count + 1) * sizeof *numbers);
  for (size_t i = 0; i < count; ++i)
    numbers[i] = (double)count_of(json_item(array, i)).value;
  return numbers;
}

static char *name_of(const struct document *document, const struct json *place, size_t number, size_t documents) {
  const struct count device = count_of(part(document, place, "device"));
  struct text name = {0};
  if (device.known)
    text_format(&name, "device %llu", (unsigned long long)device.value);
  else
    text_add(&name, "host");
  if (documents > 1)
    text_format(&name, " [%zu]", number + 1);
  return name.data;
}

static void add_panel(struct memory_curves *curves, const struct document *document, const struct json *place, char *name) {
  const struct json *most = part(document, place, "curve.most_bytes"), *last = part(document, place, "curve.last_bytes");
  struct memory_panel *panel = &curves->panels[curves->panel_count++];
  *panel = (struct memory_panel){.name = name,
                                 .width_ns = number_at(document, place, "curve.width_ns"),
                                 .peak = number_at(document, place, "peak_bytes"),
                                 .peak_ns = number_at(document, place, "peak_time_ns"),
                                 .average = number_at(document, place, "average_bytes"),
                                 .count = json_count(most) < json_count(last) ? json_count(most) : json_count(last)};
  if (panel->count > MOST_POINTS)
    panel->count = MOST_POINTS;
  panel->most = numbers_of(most, panel->count);
  panel->last = numbers_of(last, panel->count);
  curves->end_ns = fmax(curves->end_ns, panel->width_ns * (double)panel->count);
}

static bool has_curve(const struct document *document, const struct json *place) {
  return json_count(part(document, place, "curve.most_bytes")) && number_at(document, place, "curve.width_ns") > 0 &&
         number_at(document, place, "peak_bytes") > 0;
}

static void add_panels(struct memory_curves *curves, const struct document *documents, size_t count) {
  for (size_t d = 0; d < count; ++d)
    JSON_EACH(place, part(&documents[d], &documents[d].tree.root, "memory.places")) {
      if (!has_curve(&documents[d], place))
        continue;
      if (curves->panel_count == MOST_PANELS)
        curves->too_many++;
      else
        add_panel(curves, &documents[d], place, name_of(&documents[d], place, d, count));
    }
}

static void name_picture(struct memory_curves *curves, const struct document *documents, size_t count, const char *title) {
  struct text text = {0};
  if (title)
    text_plain(&text, title);
  else
    text_add(&text, "CUDA memory");
  if (!title && count == 1) {
    text_add(&text, " · ");
    text_plain(&text, document_title(&documents[0]));
  }
  curves->title = text.data ? text.data : copy_string("");
  text = (struct text){0};
  text_add(&text, "bytes that the program held, over the time since its start");
  for (size_t d = 0; count > 1 && d < count; ++d) {
    const char *slash = strrchr(documents[d].file, '/');
    text_format(&text, " · [%zu] ", d + 1);
    text_plain(&text, slash ? slash + 1 : documents[d].file);
  }
  curves->subtitle = text.data;
}

char *memory_curves_build(struct memory_curves *curves, const struct document *documents, size_t count, const char *title) {
  *curves = (struct memory_curves){.panels = allocate(MOST_PANELS * sizeof *curves->panels)};
  add_panels(curves, documents, count);
  if (!curves->panel_count)
    return copy_string("no document has CUDA memory over time: run a program that allocates some, without GPUPROF_MEMORY=off.");
  name_picture(curves, documents, count, title);
  curves->panel_height = fmin(220, fmax(70, 460.0 / (double)curves->panel_count));
  curves->height = TOP + (double)curves->panel_count * (curves->panel_height + GAP) + BELOW;
  return NULL;
}

void memory_curves_free(struct memory_curves *curves) {
  for (size_t i = 0; i < curves->panel_count; ++i) {
    free(curves->panels[i].name);
    free(curves->panels[i].most);
    free(curves->panels[i].last);
  }
  free(curves->panels);
  free(curves->title);
  free(curves->subtitle);
  *curves = (struct memory_curves){.title = NULL};
}

/* ---- Drawing ---- */

static const struct stroke axis = {INK_AXIS, 1.2, 0}, grid = {INK_GRID, 1, 0}, dashed = {INK_MUTED, 1, 4};

static void write(struct canvas *canvas, enum ink ink, double size, enum anchor anchor, double x, double y, const char *string) {
  canvas->write(canvas, (struct lettering){ink, size, 0, anchor, false, false}, x, y, string);
}

static void write_bytes(struct canvas *canvas, enum ink ink, double size, enum anchor anchor, double x, double y, const char *before,
                        double bytes) {
  struct text shown = {0};
  text_add(&shown, before);
  number_si(&shown, bytes, "B");
  write(canvas, ink, size, anchor, x, y, text_get(&shown));
  text_free(&shown);
}

static double bottom_of(const struct memory_curves *curves, size_t panel) {
  return TOP + (double)panel * (curves->panel_height + GAP) + curves->panel_height;
}

static double x_of(const struct memory_curves *curves, double ns) { return LEFT + (RIGHT - LEFT) * ns / curves->end_ns; }

/* Neighbours of one height are one bar. */
static size_t end_of_bar(const struct memory_panel *panel, size_t begin) {
  size_t end = begin + 1;
  while (end < panel->count && panel->most[end] == panel->most[begin] && panel->last[end] == panel->last[begin])
    ++end;
  return end;
}

static void bar_title(struct text *title, const struct memory_panel *panel, size_t begin, size_t end) {
  text_plain(title, panel->name);
  text_add(title, "\nafter ");
  number_time(title, panel->width_ns * (double)begin);
  text_add(title, " to ");
  number_time(title, panel->width_ns * (double)end);
  text_add(title, ": at most ");
  number_si(title, panel->most[begin], "B");
  text_add(title, ", at its end ");
  number_si(title, panel->last[end - 1], "B");
}

static void draw_bar(struct canvas *canvas, const struct memory_curves *curves, const struct memory_panel *panel, size_t begin, size_t end,
                     double bottom) {
  const double x = x_of(curves, panel->width_ns * (double)begin), width = x_of(curves, panel->width_ns * (double)end) - x;
  const double scale = curves->panel_height / panel->peak;
  const double most = fmin(panel->most[begin], panel->peak) * scale, last = fmin(panel->last[begin], panel->most[begin]) * scale;
  struct text title = {0};
  bar_title(&title, panel, begin, end);
  canvas->group(canvas, text_get(&title), "");
  if (most > last)
    canvas->rectangle(canvas, INK_CACHE, x, bottom - most, width, most - last);
  canvas->rectangle(canvas, INK_FORWARD, x, bottom - last, width, last);
  canvas->ungroup(canvas);
  text_free(&title);
}

static void draw_panel(struct canvas *canvas, const struct memory_curves *curves, size_t index) {
  const struct memory_panel *panel = &curves->panels[index];
  const double bottom = bottom_of(curves, index), top = bottom - curves->panel_height;
  canvas->rectangle(canvas, INK_PLOT, LEFT, top, RIGHT - LEFT, curves->panel_height);
  canvas->line(canvas, grid, LEFT, top, RIGHT, top);
  canvas->line(canvas, grid, LEFT, (top + bottom) / 2, RIGHT, (top + bottom) / 2);
  for (size_t i = 0, end; i < panel->count; i = end) {
    end = end_of_bar(panel, i);
    if (panel->most[i] > 0)
      draw_bar(canvas, curves, panel, i, end, bottom);
  }
  if (panel->average > 0)
    canvas->line(canvas, dashed, LEFT, bottom - panel->average / panel->peak * curves->panel_height, RIGHT,
                 bottom - panel->average / panel->peak * curves->panel_height);
  canvas->line(canvas, axis, LEFT, bottom, RIGHT, bottom);
  write(canvas, INK_TEXT, 13.5, ANCHOR_END, LEFT - 80, (top + bottom) / 2 + 5, panel->name);
  write_bytes(canvas, INK_MUTED, 12, ANCHOR_END, LEFT - 8, top + 5, "", panel->peak);
  write_bytes(canvas, INK_MUTED, 12, ANCHOR_END, LEFT - 8, (top + bottom) / 2 + 4, "", panel->peak / 2);
  write_bytes(canvas, INK_TEXT, 12.5, ANCHOR_START, RIGHT + 12, top + 8, "peak ", panel->peak);
  write_bytes(canvas, INK_MUTED, 12.5, ANCHOR_START, RIGHT + 12, top + 26, "average ", panel->average);
  if (panel->count)
    write_bytes(canvas, INK_MUTED, 12.5, ANCHOR_START, RIGHT + 12, top + 44, "at the end ", panel->last[panel->count - 1]);
}

/* At most ten times, at steps of 1, 2 or 5. */
static double step_of(double end) {
  double step = pow(10, floor(log10(end))) / 10;
  static const double factors[] = {2, 2.5, 2};
  for (size_t i = 0; end / step > 10; ++i)
    step *= factors[i % 3];
  return step;
}

static void draw_times(struct canvas *canvas, const struct memory_curves *curves) {
  const double bottom = bottom_of(curves, curves->panel_count - 1), step = step_of(curves->end_ns);
  for (double ns = 0; ns <= curves->end_ns * 1.0001; ns += step) {
    struct text text = {0};
    if (ns > 0)
      number_time(&text, ns);
    else
      text_add(&text, "0");
    write(canvas, INK_MUTED, 12.5, ANCHOR_MIDDLE, x_of(curves, ns), bottom + 18, text_get(&text));
    text_free(&text);
  }
  write(canvas, INK_TEXT, 13.5, ANCHOR_MIDDLE, (LEFT + RIGHT) / 2, bottom + 42, "time since the start");
}

static void draw_legend(struct canvas *canvas, const struct memory_curves *curves) {
  const double y = bottom_of(curves, curves->panel_count - 1) + 38;
  canvas->rectangle(canvas, INK_FORWARD, LEFT, y - 6, 11, 11);
  write(canvas, INK_MUTED, 12.5, ANCHOR_START, LEFT + 17, y + 4, "held at the end of an interval");
  canvas->rectangle(canvas, INK_CACHE, RIGHT - 250, y - 6, 11, 11);
  write(canvas, INK_MUTED, 12.5, ANCHOR_START, RIGHT - 233, y + 4, "most within it");
  canvas->line(canvas, dashed, RIGHT - 110, y, RIGHT - 80, y);
  write(canvas, INK_MUTED, 12.5, ANCHOR_START, RIGHT - 72, y + 4, "average");
}

static void draw(const void *data, struct canvas *canvas) {
  const struct memory_curves *curves = data;
  struct text text = {0};
  canvas->rectangle(canvas, INK_GROUND, 0, 0, WIDTH, curves->height);
  text_elide(&text, curves->title, 76, "…");
  canvas->write(canvas, (struct lettering){INK_TEXT, 21, 0, ANCHOR_START, true, false}, 36, 44, text_get(&text));
  text_free(&text);
  text_elide(&text, curves->subtitle, 140, "…");
  write(canvas, INK_MUTED, 14, ANCHOR_START, 36, 70, text_get(&text));
  text_free(&text);
  for (size_t i = 0; i < curves->panel_count; ++i)
    draw_panel(canvas, curves, i);
  draw_times(canvas, curves);
  draw_legend(canvas, curves);
  if (curves->too_many) {
    text_format(&text, "%zu more are not drawn", curves->too_many);
    write(canvas, INK_MUTED, 12.5, ANCHOR_END, WIDTH - 36, TOP - 16, text_get(&text));
    text_free(&text);
  }
}

struct picture memory_curves_picture(const struct memory_curves *curves) {
  return (struct picture){WIDTH, curves->height, curves->title, draw, curves};
}
