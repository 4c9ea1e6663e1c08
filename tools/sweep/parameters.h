/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parameters of a sweep: names with values, given as NAME=VALUE,VALUE,… or NAME=FIRST..LAST*FACTOR or
 * NAME=FIRST..LAST+STEP. A point of the sweep has one value of each; the last parameter varies fastest. */
#ifndef GP_TOOL_PARAMETERS_H
#define GP_TOOL_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#define PARAMETER_VALUES_MOST 1000
#define SWEEP_POINTS_MOST 10000

struct parameter {
  char *name;
  char **values;
  size_t count;
};

struct parameters {
  struct parameter *items;
  size_t count;
};

/* Adds a parameter. Returns null, or the reason of a failure as a sentence; the caller frees it. */
char *parameters_add(struct parameters *parameters, const char *given);
void parameters_free(struct parameters *parameters);
/* The number of points: 1 without parameters. More than SWEEP_POINTS_MOST are SWEEP_POINTS_MOST + 1. */
size_t parameters_points(const struct parameters *parameters);
const char *parameters_value(const struct parameters *parameters, size_t point, size_t parameter);
/* `argument` with the values of the point in place of {NAME}. The caller frees it. */
char *parameters_fill(const struct parameters *parameters, size_t point, const char *argument);
/* Whether {NAME} of this parameter stands in `argument`. */
bool parameter_is_in(const struct parameter *parameter, const char *argument);
/* "seq=128, causal=0"; "" without parameters. The caller frees it. */
char *parameters_label(const struct parameters *parameters, size_t point, const char *separator);

#endif
