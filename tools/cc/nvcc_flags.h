/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of nvcc's flags (nvcc_flags.def): looking one up, and printing it. */
#ifndef GP_TOOL_NVCC_FLAGS_H
#define GP_TOOL_NVCC_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

struct nvcc_plan;

enum nvcc_handling { NVCC_IS_SAME, NVCC_IS_MAPPED, NVCC_IS_TAKEN, NVCC_IS_IGNORED, NVCC_IS_REFUSED };

struct nvcc_flag {
  const char *long_name, *short_name;
  const char *value; /* as people are told; empty: the flag has none */
  enum nvcc_handling handling;
  const char *clang, *if_false; /* clang's flags; those of the value false, or null */
  int (*take)(struct nvcc_plan *plan, const char *value);
  const char *text;
};

/* The flag that `argument` names, or null. `*value` is what stands behind = or directly behind a single letter; null
 * where the next argument is the value, or none is wanted. A short name that clang has too is clang's. */
const struct nvcc_flag *nvcc_flag_find(const char *argument, const char **value);
/* True for VALUE,...: several values separated by commas. */
bool nvcc_flag_is_list(const struct nvcc_flag *flag);
/* True where the value is free, or one of the words that it may be. */
bool nvcc_flag_allows(const struct nvcc_flag *flag, const char *value);
/* The flag of nvcc nearest to an unknown argument, or null; null too where the argument can be clang's. */
const char *nvcc_flag_nearest(const char *argument);
/* Prints the table: as plain text, or as tables in Markdown. */
void nvcc_flags_print(bool markdown);

#endif
