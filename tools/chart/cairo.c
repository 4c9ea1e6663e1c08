// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A canvas for PNG and PDF, where this program is built with cairo. */
#include "chart/chart.h"

#ifdef GPUPROF_HAVE_CAIRO
#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>
#include <string.h>

#define PNG_SCALE 2.0

struct picture {
  struct canvas canvas;
  cairo_t *cairo;
};

static cairo_t *cairo_of(struct canvas *canvas) { return ((struct picture *)canvas)->cairo; }

static void choose(cairo_t *cairo, enum ink ink, double opacity) {
  unsigned color = inks[ink].light;
  cairo_set_source_rgba(cairo, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0,
                        opacity);
}

static void stroke_path(cairo_t *cairo, struct stroke stroke) {
  choose(cairo, stroke.ink, 1);
  cairo_set_line_width(cairo, stroke.width);
  cairo_set_dash(cairo, &stroke.dash, stroke.dash > 0, 0);
  cairo_stroke(cairo);
}

static void picture_line(struct canvas *canvas, struct stroke stroke, double x1, double y1, double x2,
                         double y2) {
  cairo_t *cairo = cairo_of(canvas);
  cairo_move_to(cairo, x1, y1);
  cairo_line_to(cairo, x2, y2);
  stroke_path(cairo, stroke);
}

static void picture_rectangle(struct canvas *canvas, enum ink fill, double x, double y, double width,
                              double height) {
  cairo_t *cairo = cairo_of(canvas);
  cairo_rectangle(cairo, x, y, width, height);
  choose(cairo, fill, 1);
  cairo_fill(cairo);
}

static void picture_mark(struct canvas *canvas, enum shape shape, enum ink fill, double opacity,
                         struct stroke stroke, double x, double y, double radius) {
  cairo_t *cairo = cairo_of(canvas);
  double r = shape == SHAPE_SQUARE ? radius * 0.88 : radius * 1.15;
  cairo_new_path(cairo);
  if (shape == SHAPE_CIRCLE) {
    cairo_arc(cairo, x, y, radius, 0, 2 * acos(-1));
  } else if (shape == SHAPE_SQUARE) {
    cairo_rectangle(cairo, x - r, y - r, 2 * r, 2 * r);
  } else {
    cairo_move_to(cairo, x, y - r);
    cairo_line_to(cairo, x + r, y);
    cairo_line_to(cairo, x, y + r);
    cairo_line_to(cairo, x - r, y);
    cairo_close_path(cairo);
  }
  choose(cairo, fill, opacity);
  cairo_fill_preserve(cairo);
  if (stroke.width > 0)
    stroke_path(cairo, stroke);
  else
    cairo_new_path(cairo);
}

static void picture_write(struct canvas *canvas, struct lettering lettering, double x, double y,
                          const char *string) {
  cairo_t *cairo = cairo_of(canvas);
  cairo_text_extents_t extents;
  cairo_save(cairo);
  cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         lettering.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo, lettering.size);
  cairo_text_extents(cairo, string, &extents);
  cairo_translate(cairo, x, y);
  cairo_rotate(cairo, lettering.angle * acos(-1) / 180);
  cairo_move_to(cairo,
                -extents.x_advance * (lettering.anchor == ANCHOR_START ? 0
                                      : lettering.anchor == ANCHOR_END ? 1
                                                                       : 0.5),
                0);
  cairo_text_path(cairo, string);
  if (lettering.halo) {
    choose(cairo, INK_PLOT, 1);
    cairo_set_line_width(cairo, 3.5);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_dash(cairo, NULL, 0, 0);
    cairo_stroke_preserve(cairo);
  }
  choose(cairo, lettering.ink, 1);
  cairo_fill(cairo);
  cairo_restore(cairo);
}

static void picture_group(struct canvas *canvas, const char *title, const char *rows) {
  (void)rows;
  (void)canvas;
  (void)title;
}

static void picture_ungroup(struct canvas *canvas) { (void)canvas; }

static cairo_status_t append(void *closure, const unsigned char *data, unsigned length) {
  text_bytes(closure, (const char *)data, length);
  return CAIRO_STATUS_SUCCESS;
}

bool cairo_available(void) { return true; }

bool cairo_draw(struct text *out, const struct chart *chart, const char *format) {
  bool png = !strcmp(format, "png");
  cairo_surface_t *surface =
      png ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(CHART_WIDTH * PNG_SCALE),
                                       (int)(CHART_HEIGHT * PNG_SCALE))
          : cairo_pdf_surface_create_for_stream(append, out, CHART_WIDTH, CHART_HEIGHT);
  struct picture picture = {
      {picture_line, picture_rectangle, picture_mark, picture_write, picture_group, picture_ungroup},
      cairo_create(surface)};
  if (png)
    cairo_scale(picture.cairo, PNG_SCALE, PNG_SCALE);
  chart_draw(chart, &picture.canvas);
  if (png)
    cairo_surface_write_to_png_stream(surface, append, out);
  bool good = cairo_status(picture.cairo) == CAIRO_STATUS_SUCCESS;
  cairo_destroy(picture.cairo);
  cairo_surface_finish(surface);
  good = good && cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS;
  cairo_surface_destroy(surface);
  return good && out->length;
}
#else
bool cairo_available(void) { return false; }

bool cairo_draw(struct text *out, const struct chart *chart, const char *format) {
  (void)out;
  (void)chart;
  (void)format;
  return false;
}
#endif
