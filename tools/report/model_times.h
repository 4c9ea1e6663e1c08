/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The least times of a row: an amount of work over the ceiling of the resource that does it. The largest is the roof. */
#ifndef GP_TOOL_MODEL_TIMES_H
#define GP_TOOL_MODEL_TIMES_H

#include "reader/reader.h"

#define MODEL_USES_MOST 32

/* Identifier, key in model_times_ns, name for people, whether it moves bytes. */
#define GP_MODEL_RESOURCES(X)                                                                                \
  X(DRAM, "dram", "DRAM", true)                                                                              \
  X(L2, "l2", "L2", true)                                                                                    \
  X(L1, "l1", "L1", true)                                                                                    \
  X(SHARED, "shared", "shared memory", true)                                                                 \
  X(CORE, "core", "core", false)                                                                             \
  X(TENSOR, "tensor", "tensor cores", false)                                                                 \
  X(SPECIAL, "special", "special functions", false)                                                          \
  X(INTEGER, "integer", "integers", false)

enum model_resource {
#define GP_RESOURCE_ID(id, key, name, memory) RESOURCE_##id,
  GP_MODEL_RESOURCES(GP_RESOURCE_ID)
#undef GP_RESOURCE_ID
      RESOURCE_COUNT
};

struct model_resource_row {
  const char *key, *name;
  bool is_memory;
};
extern const struct model_resource_row model_resources[RESOURCE_COUNT];

struct model_use {
  enum model_resource resource;
  const char *what;   /* "fp32", "asked", "unique", … */
  const char *instruction; /* of tensor cores: "mma.sync", "wgmma"; "" where it is not known */
  const char *source; /* of the ceiling: "datasheet", "measured"; "" where there is none */
  struct number amount, per_second, least_ns;
  struct number percent; /* of the measured time */
  bool is_part;          /* a precision of the use before it, where there are several */
};

struct model_times {
  struct model_use
      uses[MODEL_USES_MOST]; /* the longest first; those without work are left out, unknown ones last */
  size_t count;
  struct number time_ns;    /* a GPU's, of all launches */
  struct number largest_ns; /* of the known least times */
  struct number intensity;  /* FLOPs a byte of DRAM */
  struct number balance;    /* the intensity at which DRAM and the units that compute take equally long */
};

/* Global bytes asked for; lanes that ask for the same word count once. */
struct number model_asked_bytes(const struct entry *entry);
struct model_times model_times_of(const struct document *document, const struct entry *entry);

#endif
