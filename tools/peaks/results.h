/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The measured ceilings of one GPU: as a table, as a JSON document, and as the file that the runtime reads. */
#ifndef GP_TOOL_RESULTS_H
#define GP_TOOL_RESULTS_H

#include "common/style.h"
#include "peaks/measure.h"

#define PEAKS_MOST 64

struct results {
  struct gpu gpu;
  const char *chip; /* its id, or null */
  char driver[80];  /* of the kernel module, or "" */
  char date[32];
  bool is_whole; /* everything that suits the GPU was measured */
  struct peak peaks[PEAKS_MOST];
  size_t count;
};

void results_free(struct results *results);
void results_table(struct text *out, const struct results *results, const struct style *style);
/* Schema gpuprof.peaks. A ceiling is the best of the rows that measure it; each stands on a line of its own, by which the
 * runtime knows it. */
void results_json(struct text *out, const struct results *results);
/* Writes it where the runtime looks for it. Returns an exit code, and the path, which the caller frees. */
int results_keep(const struct results *results, char **path);
/* Rows without a rate. */
size_t results_missing(const struct results *results);

#endif
