/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cost sheet of a translation unit, parsed. The text format is in docs/developer/counting.md. */
#ifndef GP_SHEET_H
#define GP_SHEET_H

#include "base/describe.h"
#include "sheet/costs.h"
#include "sheet/formula.h"

#include <stddef.h>
#include <stdint.h>

#define GP_NONE UINT32_MAX /* no region, no file, no group, no parent */

struct gp_sheet_region {
  uint32_t parent; /* index of an earlier region, or GP_NONE */
  struct gp_description description;
};

/* The contribution of one execution of a group by one thread at one place. */
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

enum gp_value_kind {
  GP_VALUE_COUNT,
  GP_VALUE_SPIKE_POSITIVE,
  GP_VALUE_SPIKE_NEGATIVE,
  GP_VALUE_SPIKE_ZERO,
  GP_VALUE_SYNAPSE
};

/* The sums of synaptic operations: of those behind _OF the possible ones are known. */
enum gp_synapse_sum {
  GP_SYNAPSE_ACCUMULATE,
  GP_SYNAPSE_MULTIPLY,
  GP_SYNAPSE_ACCUMULATE_OF,
  GP_SYNAPSE_MULTIPLY_OF,
  GP_SYNAPSE_POSSIBLE,
  GP_SYNAPSE_NEGATIVE
};

/* A group added to by directives instead of executions. */
struct gp_sheet_value {
  uint32_t group, region;
  enum gp_value_kind kind;
  enum gp_synapse_sum sum; /* of a synapse */
  const char *name;        /* of a count */
};

/* Bytes of a kernel's parameter read by its clone. */
struct gp_sheet_read {
  uint32_t parameter, offset, bytes;
  int is_base; /* of an address clone: a pointer, only added to */
};

/* A pointer among a kernel's arguments. */
struct gp_sheet_pointer {
  uint32_t parameter, offset;
};

/* The clone reads memory behind the first pointer, the kernel writes memory behind the second. */
struct gp_sheet_apart {
  struct gp_sheet_pointer read, written;
};

/* Pointers among a kernel's arguments behind which all accesses of one kind lie. */
struct gp_sheet_pointers {
  int are_known; /* 0: some may lie elsewhere */
  struct gp_sheet_pointer *places;
  size_t count;
};

/* Kinds of clones counting the kernel (GPUPROF_CLONE_SUFFIX in abi.h). The counts of a free clone are a
 * function of the launch. A light clone also reads memory, and counts launches of kernels without writes
 * there. */
enum gp_clone_kind { GP_CLONE_NONE, GP_CLONE_FREE, GP_CLONE_LIGHT };

struct gp_sheet_clone {
  enum gp_clone_kind kind;
  uint32_t parameters; /* of the kernel */
  struct gp_sheet_read *reads;
  size_t read_count;
  struct gp_sheet_apart *apart; /* light: pairs required to be different allocations */
  size_t apart_count;
  struct gp_sheet_pointers loads; /* light: what it reads of memory */
  int waits;                  /* light: it may begin while the kernel ends, and ends after it */
  struct gp_formula *formula; /* free: finds the counts of most launches without the clone; or null */
};

/* A call of a function defined by another unit. */
struct gp_sheet_call {
  uint32_t region;
  const char *name; /* mangled */
};

/* A region of the source without counts in the compiled kernel, and its remaining code. REMOVED: no
 * instruction. FREE: instructions without a cost. FUSED: products fused into fmas of other regions.
 * UNCOUNTED: instructions that cannot be counted. */
enum gp_empty_region { GP_EMPTY_REMOVED, GP_EMPTY_FREE, GP_EMPTY_FUSED, GP_EMPTY_UNCOUNTED };
struct gp_sheet_empty {
  uint32_t region;
  enum gp_empty_region left;
};

struct gp_sheet_kernel {
  const char *name; /* mangled */
  int is_function;  /* no kernel, but a function called by kernels of other units */
  uint32_t groups;
  uint32_t file, line;
  struct gp_sheet_term *terms;
  size_t term_count;
  struct gp_sheet_uncounted *uncounted;
  size_t uncounted_count;
  struct gp_sheet_value *values;
  size_t value_count;
  uint32_t *stepped; /* regions with counts divided into steps */
  size_t stepped_count;
  struct gp_sheet_empty *empty;
  size_t empty_count;
  struct gp_sheet_clone clone;
  struct gp_sheet_clone addresses; /* its address clone (GPUPROF_ADDRESSES_SUFFIX) */
  int lacks_address_clone;         /* it has the formula of `addresses` alone */
  int has_marking_kernel;          /* it has a marking kernel (GPUPROF_UNIQUE_SUFFIX) */
  struct gp_sheet_pointers stores; /* what the kernel writes */
  int has_twin;                    /* its counters are in an instrumented kernel (GPUPROF_IN_KERNEL_SUFFIX) alone */
  int has_warp_kernel;             /* it has a kernel comparing the lanes' addresses (GPUPROF_WARPS_SUFFIX) */
  uint32_t parameters;             /* of the kernel, if it has one of the three */
  int takes_counters;              /* its instrumented kernel: their address, or 0, as the last argument */
  uint32_t counters_offset;        /* of that argument, where arguments are one block of memory */
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
  const char *build[GP_BUILD_COUNT]; /* null: unknown */
  const char **files;
  struct gp_sheet_region *regions;
  struct gp_sheet_kernel *kernels;
  size_t file_count, region_count, kernel_count;
  char *text; /* the storage of all names */
};

/* Parses `bytes` characters at `text`, not necessarily ended by a zero. Returns null for a malformed sheet
 * and writes one sentence into `problem`. */
struct gp_sheet *gp_sheet_parse(const char *text, size_t bytes, char *problem, size_t problem_bytes);
void gp_sheet_free(struct gp_sheet *sheet);

#endif
