/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cost sheet of a translation unit, parsed. The text format is in docs/developer/counting.md. */
#ifndef GP_SHEET_H
#define GP_SHEET_H

#include "base/describe.h"
#include "sheet/costs.h"

#include <stddef.h>
#include <stdint.h>

#define GP_NONE UINT32_MAX /* no region, no file, no group, no parent */

struct gp_sheet_region {
  uint32_t parent; /* index of an earlier region, or GP_NONE */
  struct gp_description description;
};

/* What one execution of a group by one thread adds at one place. */
struct gp_sheet_term {
  uint32_t group;
  uint32_t region; /* index into regions, or GP_NONE */
  uint32_t file;   /* index into files, or GP_NONE */
  uint32_t line;
  enum gp_cost cost;
  uint64_t amount;
};

struct gp_sheet_uncounted {
  uint32_t group; /* GP_NONE: whenever the kernel runs */
  uint32_t file, line;
  const char *what, *why;
};

enum gp_value_kind { GP_VALUE_COUNT, GP_VALUE_SPIKE_POSITIVE, GP_VALUE_SPIKE_NEGATIVE, GP_VALUE_SPIKE_ZERO };

/* A group that directives add to, rather than executions. */
struct gp_sheet_value {
  uint32_t group, region;
  enum gp_value_kind kind;
  const char *name; /* of a count */
};

/* Bytes of a kernel's parameter that its clone reads. */
struct gp_sheet_read {
  uint32_t parameter, offset, bytes;
  int is_base; /* of an address clone: a pointer, to which it only adds */
};

/* A pointer among a kernel's arguments. */
struct gp_sheet_pointer {
  uint32_t parameter, offset;
};

/* The clone reads what the first points into, the kernel writes what the second points into. */
struct gp_sheet_apart {
  struct gp_sheet_pointer read, written;
};

/* Whether a clone counts the kernel (GPUPROF_CLONE_SUFFIX in abi.h): one that is a function of the launch, or one that also
 * reads memory, and counts launches whose kernel does not write there. */
enum gp_clone_kind { GP_CLONE_NONE, GP_CLONE_FREE, GP_CLONE_LIGHT };

struct gp_sheet_clone {
  enum gp_clone_kind kind;
  uint32_t parameters; /* of the kernel */
  struct gp_sheet_read *reads;
  size_t read_count;
  struct gp_sheet_apart *apart; /* light: what must be different allocations */
  size_t apart_count;
};

/* A call of a function that another unit defines. */
struct gp_sheet_call {
  uint32_t region;
  const char *name; /* mangled */
};

/* A region of the source in which the compiled kernel counts nothing, and what is left of it: no instruction; such as count
 * nothing; products that are part of fmas of other regions; such as cannot be counted. */
enum gp_empty_region { GP_EMPTY_REMOVED, GP_EMPTY_FREE, GP_EMPTY_FUSED, GP_EMPTY_UNCOUNTED };
struct gp_sheet_empty {
  uint32_t region;
  enum gp_empty_region left;
};

struct gp_sheet_kernel {
  const char *name; /* mangled */
  int is_function;  /* no kernel, but a function that kernels of other units call */
  uint32_t groups;
  uint32_t file, line;
  struct gp_sheet_term *terms;
  size_t term_count;
  struct gp_sheet_uncounted *uncounted;
  size_t uncounted_count;
  struct gp_sheet_value *values;
  size_t value_count;
  uint32_t *stepped; /* regions whose counts are divided into steps */
  size_t stepped_count;
  struct gp_sheet_empty *empty;
  size_t empty_count;
  struct gp_sheet_clone clone;
  struct gp_sheet_clone addresses; /* its address clone (GPUPROF_ADDRESSES_SUFFIX) */
  int has_copy;                    /* that marks what it touches (GPUPROF_UNIQUE_SUFFIX) */
  int has_warp_copy;               /* that counts what lanes have in common (GPUPROF_WARPS_SUFFIX) */
  uint32_t parameters;             /* with either copy: of the kernel */
  struct gp_sheet_call *calls;
  size_t call_count;
};

/* How the unit's device code was compiled: the keys of the `build` record, and of the report. */
#define GP_BUILD_FIELDS(X)                                                                                             \
  X(optimization)                                                                                                      \
  X(architecture)                                                                                                      \
  X(headers)                                                                                                           \
  X(cuda_version)                                                                                                      \
  X(fast_math)                                                                                                         \
  X(contraction)                                                                                                       \
  X(compiler)                                                                                                          \
  X(plugin_version)

enum gp_build_field {
#define GP_BUILD_ID(name) GP_BUILD_##name,
  GP_BUILD_FIELDS(GP_BUILD_ID)
#undef GP_BUILD_ID
      GP_BUILD_COUNT
};
extern const char *const gp_build_keys[GP_BUILD_COUNT];

struct gp_sheet {
  const char *build[GP_BUILD_COUNT]; /* null: not known */
  const char **files;
  struct gp_sheet_region *regions;
  struct gp_sheet_kernel *kernels;
  size_t file_count, region_count, kernel_count;
  char *text; /* what the names point into */
};

/* Parses `bytes` characters at `text` (which need not end with a zero). Returns null for a malformed sheet and writes
 * one sentence into `problem`. */
struct gp_sheet *gp_sheet_parse(const char *text, size_t bytes, char *problem, size_t problem_bytes);
void gp_sheet_free(struct gp_sheet *sheet);

#endif
