// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A canvas for PNG and PDF, where this program is built with cairo. Its library brings two dozen others and is loaded for a
 * picture only: every command would start 12 ms later. */
#include "chart/canvas.h"

#ifdef GPUPROF_HAVE_CAIRO
#include <cairo-pdf.h>
#include <cairo.h>
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#define PNG_SCALE 2.0
#define LIBRARY "libcairo.so.2"

#define CAIRO_FUNCTIONS(X) \
  X(arc) X(close_path) X(create) X(destroy) X(fill) X(fill_preserve) X(image_surface_create) \
  X(line_to) X(move_to) X(new_path) X(pdf_surface_create_for_stream) X(rectangle) X(restore) X(rotate) \
  X(save) X(scale) X(select_font_face) X(set_dash) X(set_font_size) X(set_line_join) X(set_line_width) \
  X(set_source_rgba) X(status) X(stroke) X(stroke_preserve) X(surface_destroy) X(surface_finish) \
  X(surface_status) X(surface_write_to_png_stream) X(text_extents) X(text_path) X(translate)

/* The functions of the library. */
static struct {
#define CAIRO_POINTER(name) __typeof__(cairo_##name) *name;
  CAIRO_FUNCTIONS(CAIRO_POINTER)
#undef CAIRO_POINTER
} api;

const char *cairo_missing(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  bool good = library != NULL;
#define CAIRO_LOAD(name) good = good && (*(void **)&api.name = dlsym(library, "cairo_" #name));
  CAIRO_FUNCTIONS(CAIRO_LOAD)
#undef CAIRO_LOAD
  return good ? NULL : "cannot load " LIBRARY ": install libcairo2";
}

struct cairo_canvas {
  struct canvas canvas;
  cairo_t *cairo;
};

static cairo_t *cairo_of(struct canvas *canvas) { return ((struct cairo_canvas *)canvas)->cairo; }

static void choose(cairo_t *cairo, enum ink ink, double opacity) {
  unsigned color = inks[ink].light;
  api.set_source_rgba(cairo, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0,
                      opacity);
}

static void stroke_path(cairo_t *cairo, struct stroke stroke) {
  choose(cairo, stroke.ink, 1);
  api.set_line_width(cairo, stroke.width);
  api.set_dash(cairo, &stroke.dash, stroke.dash > 0, 0);
  api.stroke(cairo);
}

static void picture_line(struct canvas *canvas, struct stroke stroke, double x1, double y1, double x2,
                         double y2) {
  cairo_t *cairo = cairo_of(canvas);
  api.move_to(cairo, x1, y1);
  api.line_to(cairo, x2, y2);
  stroke_path(cairo, stroke);
}

static void picture_rectangle(struct canvas *canvas, enum ink fill, double x, double y, double width,
                              double height) {
  cairo_t *cairo = cairo_of(canvas);
  api.rectangle(cairo, x, y, width, height);
  choose(cairo, fill, 1);
  api.fill(cairo);
}

static void picture_mark(struct canvas *canvas, enum shape shape, enum ink fill, double opacity,
                         struct stroke stroke, double x, double y, double radius) {
  cairo_t *cairo = cairo_of(canvas);
  double r = shape == SHAPE_SQUARE ? radius * 0.88 : radius * 1.15;
  api.new_path(cairo);
  if (shape == SHAPE_CIRCLE) {
    api.arc(cairo, x, y, radius, 0, 2 * acos(-1));
  } else if (shape == SHAPE_SQUARE) {
    api.rectangle(cairo, x - r, y - r, 2 * r, 2 * r);
  } else {
    api.move_to(cairo, x, y - r);
    api.line_to(cairo, x + r, y);
    api.line_to(cairo, x, y + r);
    api.line_to(cairo, x - r, y);
    api.close_path(cairo);
  }
  choose(cairo, fill, opacity);
  api.fill_preserve(cairo);
  if (stroke.width > 0)
    stroke_path(cairo, stroke);
  else
    api.new_path(cairo);
}

static void picture_write(struct canvas *canvas, struct lettering lettering, double x, double y,
                          const char *string) {
  cairo_t *cairo = cairo_of(canvas);
  cairo_text_extents_t extents;
  api.save(cairo);
  api.select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                       lettering.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  api.set_font_size(cairo, lettering.size);
  api.text_extents(cairo, string, &extents);
  api.translate(cairo, x, y);
  api.rotate(cairo, lettering.angle * acos(-1) / 180);
  api.move_to(cairo,
              -extents.x_advance * (lettering.anchor == ANCHOR_START ? 0
                                    : lettering.anchor == ANCHOR_END ? 1
                                                                     : 0.5),
              0);
  api.text_path(cairo, string);
  if (lettering.halo) {
    choose(cairo, INK_PLOT, 1);
    api.set_line_width(cairo, 3.5);
    api.set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    api.set_dash(cairo, NULL, 0, 0);
    api.stroke_preserve(cairo);
  }
  choose(cairo, lettering.ink, 1);
  api.fill(cairo);
  api.restore(cairo);
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

bool cairo_draw(struct text *out, const struct picture *drawn, const char *format) {
  bool png = !strcmp(format, "png");
  cairo_surface_t *surface =
      png ? api.image_surface_create(CAIRO_FORMAT_RGB24, (int)(drawn->width * PNG_SCALE),
                                     (int)(drawn->height * PNG_SCALE))
          : api.pdf_surface_create_for_stream(append, out, drawn->width, drawn->height);
  struct cairo_canvas canvas = {
      {picture_line, picture_rectangle, picture_mark, picture_write, picture_group, picture_ungroup},
      api.create(surface)};
  if (png)
    api.scale(canvas.cairo, PNG_SCALE, PNG_SCALE);
  drawn->draw(drawn->data, &canvas.canvas);
  if (png)
    api.surface_write_to_png_stream(surface, append, out);
  bool good = api.status(canvas.cairo) == CAIRO_STATUS_SUCCESS;
  api.destroy(canvas.cairo);
  api.surface_finish(surface);
  good = good && api.surface_status(surface) == CAIRO_STATUS_SUCCESS;
  api.surface_destroy(surface);
  return good && out->length;
}
#else
const char *cairo_missing(void) {
  return "was built without cairo: build it again with libcairo2-dev installed";
}

bool cairo_draw(struct text *out, const struct picture *drawn, const char *format) {
  (void)out;
  (void)drawn;
  (void)format;
  return false;
}
#endif
