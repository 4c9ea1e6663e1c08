/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The picture of a sweep: a panel a measure, a curve a row (and a combination of the other parameters), over
 * the values of one parameter. Bars are intervals of 95 % confidence of the mean of the repeats. */
#ifndef GP_TOOL_CURVES_H
#define GP_TOOL_CURVES_H

#include "chart/canvas.h"
#include "sweep/series.h"

#include <stdbool.h>

#define CURVES_MOST 9

/* The rows that are drawn. */
struct curve_choice {
  const char *over;    /* the parameter */
  const char *rows;    /* a regular expression for paths, or null: the rows with the most time or work */
  bool regions, kernels; /* both: regions, or kernels where there are none */
};

struct curve {
  char *label;
  struct estimate *values[MEASURE_COUNT]; /* a value of the parameter each */
};

struct panel {
  enum measure measure;
  bool log;        /* the axis of its values */
  double low, high; /* of the axis; logarithms where `log` */
};

struct curves {
  const struct parameter *over;
  double *places; /* of the parameter's values on the axis, 0 to 1 */
  char *title, *subtitle;
  struct curve curves[CURVES_MOST];
  size_t curve_count, left_out;
  struct panel panels[MEASURE_COUNT];
  size_t panel_count;
  double height;
  bool has_repeats, on_cpu;
};

/* Returns null, or the reason why there is nothing to draw. The caller frees it. */
char *curves_build(struct curves *curves, const struct sweep *sweep, const struct curve_choice *choice, const char *title);
void curves_free(struct curves *curves);
struct picture curves_picture(const struct curves *curves);

#endif
