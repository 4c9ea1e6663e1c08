/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two documents, row by row and count by count. */
#ifndef GP_TOOL_COMPARE_H
#define GP_TOOL_COMPARE_H

#include "compare/compare_keys.h"
#include "reader/reader.h"
#include "reader/value.h"

#include <limits.h>

/* Groups of differences, the most important first. */
enum difference_group { DIFFERS_ROW, DIFFERS_COUNT, DIFFERS_UNCOUNTED, DIFFERS_STEP };

struct compared_key;

/* A count that differs, or something in one document only (then the other value is absent). */
struct difference {
  const char *row;                /* whose, as a person reads it; the comparison's */
  const struct compared_key *key; /* null: the row or step itself, in one document only */
  const char *member;             /* of the key; as it stands in the document */
  long long step;                 /* the time step, NO_STEP, or OTHER_STEPS */
  struct value before, after;
  bool gone, added; /* only one document has it: no values */
  bool is_kernel;   /* how its name is shortened */
  enum compared_fails fails;
  enum difference_group group;
  size_t order; /* found as the n-th */
};

#define NO_STEP LLONG_MIN
#define OTHER_STEPS LLONG_MAX /* all steps without room of their own */

struct comparison {
  struct difference *items;
  size_t count, capacity;
  char **titles; /* of rows with differences */
  size_t title_count, title_capacity;
  size_t compared;                     /* counts known to both documents */
  size_t rows;                         /* rows of both */
  size_t one_sided;                    /* counts unknown to the device of one document */
  struct text one_sided_names;
};

void compare_documents(struct comparison *comparison, const struct document *before,
                       const struct document *after, const struct selection *selection);
/* The name of the count as a person reads it; "" for a row. */
void difference_name(struct text *out, const struct difference *difference);
/* The most important first. */
void comparison_sort(struct comparison *comparison);
/* Keeps failures of a check: work grown by more than `tolerance`
 * percent, forbidden changes beyond it, and missing rows. */
void comparison_keep_regressions(struct comparison *comparison, double tolerance);
/* A table of at most 110 columns and `most` lines. */
void comparison_table(struct text *out, const struct comparison *comparison, size_t most);
void comparison_free(struct comparison *comparison);

#endif
