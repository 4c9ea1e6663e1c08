/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The canvas of a picture: SVG always, PNG and PDF if
 * built with cairo. All lengths are pixels of the SVG. */
#ifndef GP_TOOL_CANVAS_H
#define GP_TOOL_CANVAS_H

#include "common/text.h"

/* Every colour of the picture: identifier, CSS class (for other
 * colours on a page), colour on light ground, colour on dark ground. */
#define GP_INKS(X)                                                                                           \
  X(GROUND, "ground", 0xffffff, 0x14181f)                                                                    \
  X(PLOT, "plot", 0xfbfcfd, 0x191e27)                                                                        \
  X(MINOR, "minor", 0xeff1f4, 0x20262f)                                                                      \
  X(GRID, "grid", 0xdde1e7, 0x2d3540)                                                                        \
  X(AXIS, "axis", 0x9aa3af, 0x566070)                                                                        \
  X(TEXT, "ink", 0x1b2330, 0xe8ebf0)                                                                         \
  X(MUTED, "muted", 0x5b6675, 0x9aa5b4)                                                                      \
  X(ROOF, "roof", 0x1f2937, 0xd5dbe4)                                                                        \
  X(CEILING, "ceiling", 0x66707f, 0x8a95a5)                                                                  \
  X(CACHE, "cache", 0xa3acb9, 0x5d6878)                                                                      \
  X(FORWARD, "forward", 0x0067a5, 0x5cb3ea)                                                                  \
  X(BACKWARD, "backward", 0xc4500a, 0xf08a4b)                                                                \
  X(OPTIMIZER, "optimizer", 0x00795a, 0x3ecfa3)                                                              \
  X(COMMUNICATION, "communication", 0xa83e86, 0xe08cc5)                                                      \
  X(OTHER, "other", 0x6a4aa8, 0xb39ae8)                                                                      \
  X(UNNAMED, "unnamed", 0x475467, 0xa9b4c4)                                                                  \
  X(ALARM, "alarm", 0xc11c2f, 0xff6b78)

enum ink {
#define GP_INK_ID(id, class, light, dark) INK_##id,
  GP_INKS(GP_INK_ID)
#undef GP_INK_ID
      INK_COUNT
};

struct ink_row {
  const char *class;
  unsigned light, dark;
};
extern const struct ink_row inks[INK_COUNT];

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };
enum shape { SHAPE_CIRCLE, SHAPE_SQUARE, SHAPE_DIAMOND };

struct stroke {
  enum ink ink;
  double width, dash; /* dash 0: a full line */
};

struct lettering {
  enum ink ink;
  double size, angle; /* degrees, clockwise */
  enum anchor anchor;
  bool bold, halo; /* halo: the ground shines around the letters */
};

struct canvas {
  void (*line)(struct canvas *canvas, struct stroke stroke, double x1, double y1, double x2, double y2);
  void (*rectangle)(struct canvas *canvas, enum ink fill, double x, double y, double width, double height);
  /* Filled with `fill`, outlined with `stroke` where its width is above 0. */
  void (*mark)(struct canvas *canvas, enum shape shape, enum ink fill, double opacity, struct stroke stroke,
               double x, double y, double radius);
  void (*write)(struct canvas *canvas, struct lettering lettering, double x, double y, const char *string);
  /* Everything in a group shows `title` as a tool tip, in formats with
   * tool tips; `rows` are the identifiers of its rows on a page. */
  void (*group)(struct canvas *canvas, const char *title, const char *rows);
  void (*ungroup)(struct canvas *canvas);
};

/* Least width of `string` at `size` in the usual sans-serif fonts: the widest of them is assumed. */
double lettering_width(const char *string, double size, bool bold);

/* Drawings on a canvas of some size. */
struct picture {
  double width, height;
  const char *title;
  void (*draw)(const void *data, struct canvas *canvas);
  const void *data;
};

/* The picture as one SVG element; embedded: as part of an HTML page with its own colours. */
void svg_draw(struct text *out, const struct picture *picture, bool embedded);
/* True and the bytes of the file, where this program was built with cairo; `format` is "png" or "pdf". */
bool cairo_draw(struct text *out, const struct picture *picture, const char *format);
/* Null where pictures can be drawn so, else why not, for "this gpuprof …". Comes before cairo_draw(). */
const char *cairo_missing(void);

#endif
