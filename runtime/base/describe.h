/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The description string of a region: fields key=value separated by tabs (see gpuprof/abi.h). */
#ifndef GP_DESCRIBE_H
#define GP_DESCRIBE_H

#include <stddef.h>
#include <stdint.h>

#define GP_NO_COLOR UINT32_MAX

/* Absent texts are null. All texts lie in one allocation, `storage`. */
struct gp_description {
  const char *name, *kind, *file, *phase, *category;
  uint32_t line;
  uint32_t color; /* 0xRRGGBB or GP_NO_COLOR */
  int synapse;    /* synaptic operations are derived from the region's executed work */
  char *storage;
};

/* Parses `length` characters. Returns 0, or -1 if the text is not a description or memory is exhausted. Unknown keys
 * are skipped. A name is required. */
int gp_describe(const char *text, size_t length, struct gp_description *description);
void gp_description_free(struct gp_description *description);

#endif
