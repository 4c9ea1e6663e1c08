/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The picture of CUDA memory over time: a panel for each device, and for the host. */
#ifndef GP_TOOL_MEMORY_CURVES_H
#define GP_TOOL_MEMORY_CURVES_H

#include "chart/canvas.h"
#include "reader/reader.h"

/* Memory of one place, in intervals of equal length. */
struct memory_panel {
  char *name;
  double width_ns, peak, peak_ns, average; /* peak_ns NAN: unknown */
  size_t count;
  double *most, *last; /* bytes within each interval, and at its end */
};

struct memory_curves {
  char *title, *subtitle;
  struct memory_panel *panels;
  size_t panel_count, too_many;
  double end_ns, panel_height, height;
};

/* Returns null, or the reason without a picture: a sentence to be freed by the caller. */
char *memory_curves_build(struct memory_curves *curves, const struct document *documents, size_t count, const char *title);
void memory_curves_free(struct memory_curves *curves);
struct picture memory_curves_picture(const struct memory_curves *curves);

#endif
