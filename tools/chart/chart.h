/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The roofline picture as data: all drawn elements with their places. Pixels are those of the SVG, y downwards. */
#ifndef GP_TOOL_CHART_H
#define GP_TOOL_CHART_H

#include "chart/canvas.h"
#include "reader/reader.h"

#define CHART_WIDTH 1100.0
#define CHART_HEIGHT 720.0
#define CHART_LEFT 88.0
#define CHART_RIGHT 1064.0
#define CHART_TOP 92.0
#define CHART_BOTTOM 588.0

struct box {
  double x, y, width, height;
};

struct segment {
  double x1, y1, x2, y2;
};

/* A mark on the height of a point: its intensity by the bytes of a cache. */
#define CHART_LEVELS 2
struct level_mark {
  const char *name; /* "L1", "L2" */
  double intensity, x;
};

/* One marker, shared by entries at the same place. */
struct chart_point {
  const struct entry *entry;
  size_t document, index, order; /* the document's number; the entry's in it; found as the n-th */
  char *lines[4];
  size_t line_count, names; /* names: how many entries share the marker */
  char *title;              /* tool tip */
  char *rows;               /* "r3 k0": regions and kernels of the document, by their number */
  enum ink ink;
  enum shape shape;
  bool hollow, above_roof, has_requested;
  bool by_requested; /* DRAM bytes unknown: placed at the requested intensity, as a light mark */
  double intensity, rate, requested;
  double x, y, requested_x;
  struct level_mark levels[CHART_LEVELS];
  size_t level_count;
  /* Set by labels_place(). */
  bool labelled;
  struct box label;
};

struct chart_line {
  char *label;
  const char *name; /* precision or level */
  double value;     /* FLOP/s or B/s */
  bool main;        /* the DRAM roof, the highest ceiling: drawn strong */
  bool hidden;      /* outside of the picture */
  struct segment line;
  double label_x, label_y, angle;
};

struct chart {
  char *title, *subtitle, *footnote;
  double x_low, x_high, y_low, y_high; /* log10 of the axes' ends */
  struct chart_point *points;
  size_t point_count;
  struct chart_line *roofs, *ceilings;
  size_t roof_count, ceiling_count;
  size_t not_drawn; /* entries without FLOPs or intensity */
  size_t too_many;  /* entries left out because so many others have more work */
  bool dram_is_unique;
};

/* Builds the picture of some documents of one chip. Returns null,
 * or the reason without one: a sentence to be freed by the caller. */
char *chart_build(struct chart *chart, const struct document *documents, size_t count,
                  const struct selection *selection, const char *title);
struct picture chart_picture(const struct chart *chart);
void chart_free(struct chart *chart);

double chart_x(const struct chart *chart, double intensity);
double chart_y(const struct chart *chart, double rate);

/* Places the labels of all points where they cover neither each other, nor markers, nor `fixed`. */
#define LABEL_SIZE 13.0
#define LABEL_LINE 16.0
void labels_place(struct chart_point *points, size_t count, const struct box *fixed, size_t fixed_count,
                  const struct segment *lines, size_t line_count);

#endif
