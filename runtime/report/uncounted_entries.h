/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The report's list of uncounted work: code once, however many regions executed it, and launches by
 * region. */
#ifndef GP_UNCOUNTED_ENTRIES_H
#define GP_UNCOUNTED_ENTRIES_H

#include "base/table.h"
#include "core/uncounted.h"
#include "report/aggregate.h"

struct gp_uncounted_entries {
  struct gp_table code; /* entries of code, by their content */
  /* All uncounted launches, by owner: a record, or a context if no record has them. */
  struct uncounted_of {
    const void *owner;
    size_t place; /* in the order of gp_uncounted_all() */
    const struct gp_uncounted_launches *kind;
    uint64_t launches; /* when the list was made */
  } *launches;
  size_t launch_count;
};

/* Each returns 0, or -1 when memory is exhausted. */
int gp_uncounted_entries_begin(struct gp_uncounted_entries *entries);
void gp_uncounted_entries_end(struct gp_uncounted_entries *entries);
/* Adds an entry of code to the aggregate, unless it has an equal one. */
int gp_uncounted_add_code(struct gp_uncounted_entries *entries, struct gp_aggregate *aggregate, struct gp_uncounted entry);
/* Launches of a kernel (mangled, or the named thing) in the region of this path. */
int gp_uncounted_add_launches(struct gp_aggregate *aggregate, const char *kernel, const char *why, const char *path,
                              uint64_t launches);
/* The launches of an owner: returns the first of *count. */
const struct uncounted_of *gp_uncounted_launches_of(const struct gp_uncounted_entries *entries, const void *owner,
                                                    size_t *count);

#endif
