/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Uncounted launches, for the report's list of uncounted work and for the rows missing them. Thread-safe. */
#ifndef GP_UNCOUNTED_H
#define GP_UNCOUNTED_H

#include <stddef.h>
#include "base/table.h"

#include <stdint.h>

struct gp_context;
struct gp_record;

/* Adds one launch of the kernel with this mangled name, or of the named thing, in the context (null: in no
 * region). `why` is a sentence without its subject. */
void gp_uncounted_launch(const char *kernel, const struct gp_context *context, const char *why);
void gp_uncounted_many(const char *kernel, const struct gp_context *context, uint64_t launches, const char *why);
/* Adds some of the launches contained in the record's number of launches. */
void gp_uncounted_of(const struct gp_record *record, uint64_t launches, const char *why);

/* Adds one launch of the kernel to the list if this thread is in a statement with `#pragma gpuprof ignore`, and the
 * counts are on. The statement is left out of the rows around it: none misses the launch. */
void gp_uncounted_ignored(const char *kernel);

struct gp_uncounted_launches {
  struct gp_link link; /* by `what` */
  struct gp_uncounted_launches *next;
  char *kernel;
  char *what; /* "launches of NAME" */
  char *why;
  const struct gp_context *context;
  const struct gp_record *record; /* the record containing these launches; null: none */
  uint64_t launches;
  int ignored; /* missing in no row */
};
/* All kinds, the newest first; pointers stay valid. */
const struct gp_uncounted_launches *gp_uncounted_all(void);
/* "launches of NAME" for a mangled name; the caller frees it. */
char *gp_uncounted_text(const char *kernel);

/* Forgets all: in a forked child that counts for itself, and in tests. */
void gp_uncounted_reset(void);

#endif
