/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Host times of a path at the moment of a document, and of the row they belong to. */
#ifndef GP_HOST_ROW_H
#define GP_HOST_ROW_H

#include "core/distribution.h"

#include <stdint.h>

struct gp_context;
struct gp_scratch;

/* Executions of a path on one thread, in ns. */
struct gp_host_part {
  struct gp_host_part *next;
  struct gp_distribution times;
};

struct gp_host_row {
  int known; /* some thread took the path */
  uint64_t inclusive, exclusive, waiting; /* ns; of a path `waiting` is its own, of a row also its children's */
  struct gp_host_part *parts;
};

/* Reads the times of a path: `now` is gp_host_clock(), `tick_ns` gp_ticks_ns(). `exclusive` becomes the same as
 * `inclusive`. Returns 0, or -1 when memory is exhausted. */
int gp_host_read(struct gp_scratch *memory, const struct gp_context *context, uint64_t now, double tick_ns, struct gp_host_row *host);
/* Takes the time of a path directly within from the exclusive one. */
void gp_host_take_off(struct gp_host_row *host, const struct gp_host_row *within);
/* Adds a path to its row, whose `inclusive` is then exclusive until the rows are added up. */
void gp_host_add_path(struct gp_host_row *row, const struct gp_host_row *path);
/* Adds the times of a row within the row. */
void gp_host_add_row(struct gp_host_row *row, const struct gp_host_row *within);

#endif
