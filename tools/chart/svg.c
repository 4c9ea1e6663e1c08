// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A canvas writing SVG. Numbers have two decimals: the same data gives the same bytes everywhere.
 */
#include "chart/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FONTS "Helvetica, Arial, 'DejaVu Sans', sans-serif"

struct svg {
  struct canvas canvas;
  struct text *out;
  bool embedded;
};

static struct text *out_of(struct canvas *canvas) { return ((struct svg *)canvas)->out; }

/* "12.5": two decimals at most, no trailing zeros, never "-0". */
static void add_number(struct text *out, double value) {
  double rounded = round(value * 100) / 100;
  text_format(out, "%.10g", rounded == 0 ? 0.0 : rounded);
}

static void attribute(struct text *out, const char *name, double value) {
  text_format(out, " %s=\"", name);
  add_number(out, value);
  text_add(out, "\"");
}

static void add_stroke(struct text *out, struct stroke stroke) {
  text_format(out, " stroke=\"#%06x\"", inks[stroke.ink].light);
  attribute(out, "stroke-width", stroke.width);
  if (stroke.dash > 0) {
    text_add(out, " stroke-dasharray=\"");
    add_number(out, stroke.dash);
    text_add(out, "\"");
  }
}

static void svg_line(struct canvas *canvas, struct stroke stroke, double x1, double y1, double x2,
                     double y2) {
  struct text *out = out_of(canvas);
  text_format(out, "<line class=\"s-%s\"", inks[stroke.ink].class);
  attribute(out, "x1", x1);
  attribute(out, "y1", y1);
  attribute(out, "x2", x2);
  attribute(out, "y2", y2);
  add_stroke(out, stroke);
  text_add(out, "/>\n");
}

static void svg_rectangle(struct canvas *canvas, enum ink fill, double x, double y, double width,
                          double height) {
  struct text *out = out_of(canvas);
  text_format(out, "<rect class=\"f-%s\"", inks[fill].class);
  attribute(out, "x", x);
  attribute(out, "y", y);
  attribute(out, "width", width);
  attribute(out, "height", height);
  text_format(out, " fill=\"#%06x\"/>\n", inks[fill].light);
}

static void svg_mark(struct canvas *canvas, enum shape shape, enum ink fill, double opacity,
                     struct stroke stroke, double x, double y, double radius) {
  struct text *out = out_of(canvas);
  bool outlined = stroke.width > 0;
  text_format(out, "<%s class=\"f-%s%s%s\"", shape == SHAPE_CIRCLE ? "circle" : "path", inks[fill].class,
              outlined ? " s-" : "", outlined ? inks[stroke.ink].class : "");
  if (shape == SHAPE_CIRCLE) {
    attribute(out, "cx", x);
    attribute(out, "cy", y);
    attribute(out, "r", radius);
  } else {
    double r = shape == SHAPE_SQUARE ? radius * 0.88 : radius * 1.15; /* as heavy to the eye as the circle */
    const double square[4][2] = {{-r, -r}, {r, -r}, {r, r}, {-r, r}},
                 diamond[4][2] = {{0, -r}, {r, 0}, {0, r}, {-r, 0}};
    text_add(out, " d=\"");
    for (int i = 0; i < 4; ++i) {
      const double *corner = shape == SHAPE_SQUARE ? square[i] : diamond[i];
      text_add(out, i ? " L" : "M");
      add_number(out, x + corner[0]);
      text_add(out, " ");
      add_number(out, y + corner[1]);
    }
    text_add(out, "Z\"");
  }
  text_format(out, " fill=\"#%06x\"", inks[fill].light);
  if (opacity < 1)
    attribute(out, "fill-opacity", opacity);
  if (outlined)
    add_stroke(out, stroke);
  text_add(out, "/>\n");
}

static void svg_write(struct canvas *canvas, struct lettering lettering, double x, double y,
                      const char *string) {
  static const char *const anchors[] = {"start", "middle", "end"};
  struct text *out = out_of(canvas);
  text_format(out, "<text class=\"f-%s%s\"", inks[lettering.ink].class, lettering.halo ? " halo" : "");
  attribute(out, "x", x);
  attribute(out, "y", y);
  attribute(out, "font-size", lettering.size);
  if (lettering.anchor != ANCHOR_START)
    text_format(out, " text-anchor=\"%s\"", anchors[lettering.anchor]);
  if (lettering.bold)
    text_add(out, " font-weight=\"600\"");
  if (lettering.angle != 0) {
    text_add(out, " transform=\"rotate(");
    add_number(out, lettering.angle);
    text_add(out, " ");
    add_number(out, x);
    text_add(out, " ");
    add_number(out, y);
    text_add(out, ")\"");
  }
  if (lettering.halo)
    text_format(out,
                " paint-order=\"stroke\" stroke=\"#%06x\" stroke-width=\"3.5\" stroke-linejoin=\"round\"",
                inks[INK_PLOT].light);
  text_format(out, " fill=\"#%06x\">", inks[lettering.ink].light);
  text_xml(out, string);
  text_add(out, "</text>\n");
}

/* The tool tip keeps its line breaks. */
static void svg_group(struct canvas *canvas, const char *title, const char *rows) {
  struct text *out = out_of(canvas);
  text_add(out, "<g class=\"point\"");
  if (((struct svg *)canvas)->embedded)
    text_format(out, " data-rows=\"%s\"", rows);
  text_add(out, "><title>");
  while (*title) {
    size_t length = strcspn(title, "\n");
    char *line = format_string("%.*s", (int)length, title);
    text_xml(out, line);
    free(line);
    title += length;
    if (*title) {
      text_add(out, "\n");
      ++title;
    }
  }
  text_add(out, "</title>\n");
}

static void svg_ungroup(struct canvas *canvas) { text_add(out_of(canvas), "</g>\n"); }

void svg_draw(struct text *out, const struct picture *picture, bool embedded) {
  struct svg svg = {{svg_line, svg_rectangle, svg_mark, svg_write, svg_group, svg_ungroup}, out, embedded};
  if (!embedded)
    text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  text_format(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\"", picture->width, picture->height);
  if (!embedded)
    text_format(out, " width=\"%g\" height=\"%g\"", picture->width, picture->height);
  text_add(out, " role=\"img\" font-family=\"" FONTS "\">\n<title>");
  text_xml(out, picture->title);
  text_add(out, "</title>\n");
  picture->draw(picture->data, &svg.canvas);
  text_add(out, "</svg>\n");
}
