/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The picture of firing rates: a row a layer, a bar a time step. */
#ifndef GP_TOOL_FIRING_H
#define GP_TOOL_FIRING_H

#include "chart/canvas.h"
#include "reader/reader.h"

/* One bar: a step, or several neighbouring ones. */
struct firing_bar {
  long long first, last; /* steps */
  double positive, negative, values;
  double rate; /* NAN: not known */
};

struct firing_row {
  char *path;   /* with the number of its document where there are several */
  char *name;   /* of the layer: the path where it is short */
  char *around; /* a long path's part before the name, else empty */
  double rate;  /* of all steps; NAN: not known */
  struct firing_bar *bars;
};

struct firing {
  char *title, *subtitle;
  struct firing_row *rows;
  size_t row_count, bar_count;
  size_t too_many; /* layers without room */
  long long first, last, steps_a_bar;
  double highest; /* rate at the top of a row */
  double row_height, height;
  bool has_negative;
};

/* Returns null, or the reason without a picture: a sentence to be freed by the caller. */
char *firing_build(struct firing *firing, const struct document *documents, size_t count,
                   const struct selection *selection, const char *title);
void firing_free(struct firing *firing);
struct picture firing_picture(const struct firing *firing);

#endif
