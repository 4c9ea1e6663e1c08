/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A roofline document (schema gpuprof.roofline, versions 1 and 2), checked, its rows filled in, and turned into plain structs.
 * What a document does not know (null) is `known == false`, never 0.
 */
#ifndef GP_TOOL_READER_H
#define GP_TOOL_READER_H

#include "reader/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

struct count {
  bool known;
  uint64_t value;
};

struct number {
  bool known;
  double value;
};

/* Kinds of floating-point work: identifier, JSON group, key in it ("" = the whole group), short name, unit of
 * the ceiling it has, part of flops.total. */
#define GP_FLOP_KINDS(X)                                                                                     \
  X(FP64, "fp64", "", "fp64", "core", true)                                                                  \
  X(FP32, "fp32", "", "fp32", "core", true)                                                                  \
  X(FP16, "fp16", "", "fp16", "core", true)                                                                  \
  X(BF16, "bf16", "", "bf16", "core", true)                                                                  \
  X(TENSOR_BF16, "tensor", "bf16", "bf16 tensor", "tensor", true)                                            \
  X(TENSOR_FP16, "tensor", "fp16", "fp16 tensor", "tensor", true)                                            \
  X(TENSOR_TF32, "tensor", "tf32", "tf32 tensor", "tensor", true)                                            \
  X(TENSOR_FP64, "tensor", "fp64", "fp64 tensor", "tensor", true)                                            \
  X(TENSOR_FP8, "tensor", "fp8", "fp8 tensor", "tensor", true)                                               \
  X(TENSOR_FP4, "tensor", "fp4", "fp4 tensor", "tensor", true)                                               \
  X(TENSOR_INT8, "tensor", "int8", "int8 tensor", "tensor", false)                                           \
  X(TENSOR_INT4, "tensor", "int4", "int4 tensor", "tensor", false)                                           \
  X(TENSOR_INT1, "tensor", "int1", "int1 tensor", "tensor", false)

enum flop_kind {
#define GP_KIND_ID(id, group, key, shown, unit, in_total) FLOP_##id,
  GP_FLOP_KINDS(GP_KIND_ID)
#undef GP_KIND_ID
      FLOP_KIND_COUNT
};

struct flop_kind_row {
  const char *group, *key, *shown, *unit;
  bool in_total;
};
extern const struct flop_kind_row flop_kinds[FLOP_KIND_COUNT];

/* Plain counts of an entry: identifier, path in the JSON entry, name in CSV and JSON reports. */
#define GP_ENTRY_COUNTS(X)                                                                                   \
  X(EXECUTIONS, "executions", "executions")                                                                  \
  X(LAUNCHES, "launches", "launches")                                                                        \
  X(UNCOUNTED, "uncounted_launches", "uncounted_launches")                                                   \
  X(THREADS, "threads", "threads")                                                                           \
  X(LEFT_OUT_EXECUTIONS, "left_out.executions", "left_out_executions")                                       \
  X(LEFT_OUT, "left_out.launches", "left_out_launches")                                                      \
  X(TIME, "time_ns.total", "time_ns")                                                                        \
  X(TIME_MIN, "time_ns.min", "time_min_ns")                                                                  \
  X(TIME_MEDIAN, "time_ns.median", "time_median_ns")                                                         \
  X(TIME_P95, "time_ns.p95", "time_p95_ns")                                                                  \
  X(TIME_MAX, "time_ns.max", "time_max_ns")                                                                  \
  X(FLOPS, "flops.total", "flops")                                                                           \
  X(SPECIAL, "special_functions", "special_functions")                                                       \
  X(INTEGER, "integer_ops", "integer_ops")                                                                   \
  X(COMPARES, "compares", "compares")                                                                        \
  X(CONVERSIONS, "conversions", "conversions")                                                               \
  X(ATOMIC_OPS, "atomic_ops", "atomic_ops")                                                                  \
  X(GLOBAL_LOAD, "bytes.global.load", "global_load_bytes")                                                   \
  X(GLOBAL_STORE, "bytes.global.store", "global_store_bytes")                                                \
  X(GLOBAL_ATOMIC, "bytes.global.atomic", "global_atomic_bytes")                                             \
  X(SHARED_LOAD, "bytes.shared.load", "shared_load_bytes")                                                   \
  X(SHARED_STORE, "bytes.shared.store", "shared_store_bytes")                                                \
  X(SHARED_ATOMIC, "bytes.shared.atomic", "shared_atomic_bytes")                                             \
  X(LOCAL_LOAD, "bytes.local.load", "local_load_bytes")                                                      \
  X(LOCAL_STORE, "bytes.local.store", "local_store_bytes")                                                   \
  X(LOCAL_ATOMIC, "bytes.local.atomic", "local_atomic_bytes")                                                \
  X(CONSTANT_LOAD, "bytes.constant.load", "constant_load_bytes")                                             \
  X(REQUESTS, "coalescing.requests", "requests")                                                             \
  X(SECTORS, "coalescing.sectors", "request_sectors")                                                        \
  X(GLOBAL_UNIFORM, "bytes.global.uniform", "global_uniform_bytes")                                          \
  X(SHARED_UNIFORM, "bytes.shared.uniform", "shared_uniform_bytes")                                          \
  X(UNIQUE, "bytes.unique", "unique_bytes")                                                                  \
  X(L2, "bytes.l2", "l2_bytes")                                                                              \
  X(DRAM, "bytes.dram", "dram_bytes")

enum entry_count {
#define GP_COUNT_ID(id, path, name) COUNT_##id,
  GP_ENTRY_COUNTS(GP_COUNT_ID)
#undef GP_COUNT_ID
      COUNT_COUNT
};

/* A region or a kernel. Strings are never null; "" = not given. */
struct entry {
  const char *name, *path, *parent, *kind, *file, *phase, *category, *mangled;
  const char *time_source, *dram_source, *bound, *status;
  uint64_t line;
  bool is_kernel;
  unsigned depth;      /* in the region tree; 0 = root */
  bool last;           /* the last child of its parent */
  size_t parent_index; /* of the region it stands below, or SIZE_MAX */
  uint64_t counts[COUNT_COUNT], flops[FLOP_KIND_COUNT]; /* read by entry_count() and entry_flops() */
  uint64_t known_counts, known_flops;                   /* a bit for each of them */
  struct count accumulate_flops;                        /* of all precisions: additions by atomics */
  struct count requested_bytes;                         /* global: load + store + atomic */
  struct number intensity_requested, intensity_dram;
  struct number attained, attainable, percent; /* FLOP/s, FLOP/s, percent of the roof */
  struct number executed_over_expected, firing_rate;
  const struct json *json;                  /* the whole entry: compare.c */
  const struct json *user_counters, *steps; /* the entry's object and array, or null: report_counters.c */
  const struct json *hardware;              /* the entry's object of that name, or null: report_hardware.c */
};
_Static_assert(COUNT_COUNT <= 64 && FLOP_KIND_COUNT <= 64, "a bit of known_counts for each count");

static inline struct count entry_count(const struct entry *entry, enum entry_count which) {
  return (struct count){entry->known_counts >> which & 1, entry->counts[which]};
}

static inline struct count entry_flops(const struct entry *entry, enum flop_kind kind) {
  return (struct count){entry->known_flops >> kind & 1, entry->flops[kind]};
}

struct ceiling {
  const char *name; /* precision or level */
  const char *unit; /* core, tensor; "" for bytes */
  const char *source;
  double per_second;
};

struct remark {
  const char *about, *text, *why; /* notes have no why; uncounted: where, what, why */
  struct count launches;          /* uncounted launches: how many */
  bool standing;                  /* notes: holds for every run, whatever a reader does */
};

/* What one kernel did in one source line. */
struct source_line {
  const char *file;
  uint64_t line;
  struct count flops, bytes, shared_bytes, executions; /* bytes: requested of global memory */
};

struct document {
  const char *file; /* as given on the command line */
  const char *tool_version, *command, *host, *start_time, *compiler;
  const char *end_state, *end_how; /* "complete" or "running"; "" in documents of before */
  struct count pid, duration_ns, warmup;
  struct count end_signal, counted_until_ns, process_start, launches_running; /* run_end.h */
  const char *device_kind, *device_name, *chip;
  struct ceiling *flop_ceilings, *byte_ceilings;
  size_t flop_ceiling_count, byte_ceiling_count;
  struct entry *regions, *kernels; /* regions in tree order: children follow their parent */
  size_t region_count, kernel_count;
  struct remark *notes, *uncounted;
  size_t note_count, uncounted_count;
  struct source_line *lines; /* of all kernels */
  size_t line_count;
  struct json_tree tree; /* owns every string */
};

/* Which rows of a document a command shows. */
struct selection {
  bool regions, kernels;
  bool standing_notes;
};

/* Reads and checks `path`, "-" for standard input. Says in one sentence what is wrong and returns false. */
bool document_read(const char *path, struct document *document);
/* The same for text that was read from `path`; the text is freed. */
bool document_parse(const char *path, struct text *content, struct document *document);
void document_free(struct document *document);

/* The ceiling of a kind of work or of a memory level, or null. */
const struct ceiling *document_flop_ceiling(const struct document *document, enum flop_kind kind);
const struct ceiling *document_byte_ceiling(const struct document *document, const char *level);
/* Source of the ceilings: "datasheet", "measured" or both. */
const char *document_ceiling_source(const struct document *document);
/* The one source of all times: "cupti", "event", "cpu", "mixed", "other", or "" where there is none. */
const char *document_time_source(const struct document *document);
/* True where some entry's counts are those of some of its launches only. */
bool document_misses_launches(const struct document *document);
/* True where no GPU ran: points are placed at the roof, without a time. */
bool document_is_cpu(const struct document *document);
/* What a reader knows the run by: the command without the folder of its program, else the file. */
const char *document_title(const struct document *document);
/* "NVIDIA H200" for "h200": the chip as a person writes it; the given string where unknown. */
const char *chip_title(const char *chip);
/* True where the entry's counts are those of some of its launches only. */
bool entry_misses_launches(const struct entry *entry);
/* "launches of NAME (3)": what is not counted, and how often. */
void remark_what(struct text *text, const struct remark *remark);
/* a + b, at most 2^64-1; not known where neither is. */
struct count count_sum(struct count a, struct count b);
/* A kernel's name as a person reads it: the plain name out of a mangled one. The caller frees it. */
char *entry_title(const struct entry *entry);

#endif
