/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A region or a kernel of a document. An entry is small, since documents have
 * up to a million: values of its row are looked up in the JSON on demand.
 */
#ifndef GP_TOOL_ENTRY_H
#define GP_TOOL_ENTRY_H

#include "reader/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
  X(L1, "bytes.l1", "l1_bytes")                                                                              \
  X(L2, "bytes.l2", "l2_bytes")                                                                              \
  X(DRAM, "bytes.dram", "dram_bytes")                                                                        \
  X(SPIKES_POSITIVE, "snn.spikes_positive", "spikes_positive")                                               \
  X(SPIKES_NEGATIVE, "snn.spikes_negative", "spikes_negative")                                               \
  X(SILENT, "snn.silent", "silent")                                                                          \
  X(SYNAPTIC_OPS, "snn.synaptic_ops", "synaptic_ops")                                                        \
  X(SYNAPTIC_ACCUMULATES, "snn.synaptic_accumulates", "synaptic_accumulates")                                \
  X(SYNAPTIC_MULTIPLY_ACCUMULATES, "snn.synaptic_multiply_accumulates", "synaptic_multiply_accumulates")     \
  X(SYNAPTIC_POSSIBLE, "snn.synaptic_possible", "synaptic_possible")                                         \
  X(SYNAPTIC_SKIPPED, "snn.synaptic_skipped", "synaptic_skipped")                                            \
  X(HOST, "host_time_ns.inclusive", "host_time_ns")                                                          \
  X(HOST_EXCLUSIVE, "host_time_ns.exclusive", "host_exclusive_ns")                                           \
  X(HOST_WAITING, "host_time_ns.waiting", "host_waiting_ns")                                                 \
  X(HOST_MIN, "host_time_ns.min", "host_min_ns")                                                             \
  X(HOST_MEDIAN, "host_time_ns.median", "host_median_ns")                                                    \
  X(HOST_P95, "host_time_ns.p95", "host_p95_ns")                                                             \
  X(HOST_MAX, "host_time_ns.max", "host_max_ns")                                                             \
  X(COUNTED, "estimate.counted_launches", "counted_launches")

/* Texts, numbers, and objects and arrays of an entry: identifier, path in the JSON entry. */
#define GP_ENTRY_STRINGS(X)                                                                                  \
  X(KIND, "kind")                                                                                            \
  X(FILE, "file")                                                                                            \
  X(PHASE, "phase")                                                                                          \
  X(CATEGORY, "category")                                                                                    \
  X(TIME_SOURCE, "time_ns.source")                                                                           \
  X(DRAM_SOURCE, "intensity.dram_source")                                                                    \
  X(BOUND, "roofline.bound")                                                                                 \
  X(STATUS, "roofline.status")                                                                               \
  X(L1_SOURCE, "intensity.l1_source")                                                                        \
  X(LIMITER, "occupancy.limiter")                                                                            \
  X(OCCUPANCY_SOURCE, "occupancy.source")
#define GP_ENTRY_NUMBERS(X)                                                                                  \
  X(INTENSITY_REQUESTED, "intensity.requested")                                                              \
  X(INTENSITY_DRAM, "intensity.dram")                                                                        \
  X(ATTAINED, "roofline.attained_per_second")     /* FLOP/s */                                               \
  X(ATTAINABLE, "roofline.attainable_per_second") /* FLOP/s */                                               \
  X(PERCENT, "roofline.percent")                  /* of the roof */                                          \
  X(EXECUTED_OVER_EXPECTED, "expected.executed_over_expected")                                               \
  X(ITEMS, "expected.items")                                                                                 \
  X(OCCUPANCY, "occupancy.theoretical") /* 0 to 1 */                                                         \
  X(OCCUPANCY_LEAST, "occupancy.theoretical_least")                                                          \
  X(OCCUPANCY_MOST, "occupancy.theoretical_most")                                                            \
  X(ACHIEVED, "occupancy.achieved")                                                                          \
  X(BLOCKS_PER_SM, "occupancy.blocks_per_sm")                                                                \
  X(BLOCK_THREADS, "occupancy.block_threads")                                                                \
  X(REGISTERS, "occupancy.registers")                                                                        \
  X(LOCAL, "occupancy.local_bytes")                                                                          \
  X(SPILL_STORES, "occupancy.spill_store_bytes")                                                             \
  X(SPILL_LOADS, "occupancy.spill_load_bytes")                                                               \
  X(STATIC_SHARED, "occupancy.static_shared_bytes")                                                          \
  X(DYNAMIC_SHARED, "occupancy.dynamic_shared_bytes")                                                        \
  X(WAVES, "occupancy.waves")                                                                                \
  X(WAVE_EFFICIENCY, "occupancy.wave_efficiency")                                                            \
  X(INTENSITY_L1, "intensity.l1")                                                                            \
  X(INTENSITY_L2, "intensity.l2")                                                                            \
  X(ENERGY_SECONDS, "energy_seconds")                                                                        \
  X(JOULES, "energy_joules")                                                                                 \
  X(FIRING_RATE, "snn.firing_rate")                                                                          \
  X(SYNAPTIC_DENSITY, "snn.synaptic_density")
#define GP_ENTRY_PARTS(X)                                                                                    \
  X(USER_COUNTERS, "user_counters")                                                                          \
  X(STEPS, "snn.per_step")                                                                                   \
  X(HARDWARE, "hardware")                                                                                    \
  X(CHILDREN, "children")                                                                                    \
  X(LINES, "lines")                                                                                          \
  X(FLOPS, "flops")                                                                                          \
  X(BYTES, "bytes")                                                                                          \
  X(MODEL_TIMES, "roofline.model_times_ns")

#define GP_COUNT_ID(id, ...) COUNT_##id,
#define GP_STRING_ID(id, path) STRING_##id,
#define GP_NUMBER_ID(id, path) NUMBER_##id,
#define GP_PART_ID(id, path) PART_##id,
enum entry_count { GP_ENTRY_COUNTS(GP_COUNT_ID) COUNT_COUNT };
enum entry_string { GP_ENTRY_STRINGS(GP_STRING_ID) STRING_COUNT };
enum entry_number { GP_ENTRY_NUMBERS(GP_NUMBER_ID) NUMBER_COUNT };
enum entry_part { GP_ENTRY_PARTS(GP_PART_ID) PART_COUNT };
#undef GP_COUNT_ID
#undef GP_STRING_ID
#undef GP_NUMBER_ID
#undef GP_PART_ID

struct entry_paths;

/* Strings are never null; "" = not given. */
struct entry {
  const char *name, *path, *parent;
  const struct json *json;         /* its row; null: nothing is known of it */
  const struct entry_paths *paths; /* of its document */
  size_t parent_index;             /* of the region it stands below, or SIZE_MAX */
  unsigned depth;                  /* in the region tree; 0 = root */
  bool last;                       /* the last child of its parent */
  bool is_kernel;
};

/* The keys of all values read of entries, looked up once a document. Freed by free(). */
struct entry_paths *entry_paths_of(const struct json_tree *tree);
/* An entry of a row, whose place in the tree is not known yet. */
struct entry entry_of(const struct json *row, const struct entry_paths *paths);

struct count entry_count(const struct entry *entry, enum entry_count which);
/* A count of the JSON, or the sum of the counts of a group. */
struct count entry_flops(const struct entry *entry, enum flop_kind kind);
/* The part of a tensor kind done by mma.sync; not known in documents of earlier versions. */
struct count entry_mma_sync_flops(const struct entry *entry, enum flop_kind kind);
/* The same of all kinds, 0 where it is not known. */
struct flop_counts {
  uint64_t kinds[FLOP_KIND_COUNT];
};
struct flop_counts entry_all_flops(const struct entry *entry);
/* Of all precisions: additions by atomics. */
struct count entry_accumulate_flops(const struct entry *entry);
/* Global: load + store + atomic. */
struct count entry_requested_bytes(const struct entry *entry);
const char *entry_string(const struct entry *entry, enum entry_string which);
struct number entry_number(const struct entry *entry, enum entry_number which);
/* Null where it is missing. */
const struct json *entry_part(const struct entry *entry, enum entry_part which);

/* False if a sum is beyond 64 bits: reports show exact sums or none. Objects known
 * to be good, such as those of defaults after the first row, are not added up again. */
struct entry_sums {
  const struct json *flops, *bytes;
};
bool entry_sums_fit(const struct entry *entry, struct entry_sums *good);

/* True if the entry's counts cover some of its launches only. */
bool entry_misses_launches(const struct entry *entry);
/* A kernel's name as a person reads it: the plain name out of a mangled one. The caller frees it. */
char *entry_title(const struct entry *entry);
/* The same with its parameters; a mangled name as it is. */
char *entry_title_with_parameters(const struct entry *entry);
/* a + b, at most 2^64-1; not known where neither is. */
struct count count_sum(struct count a, struct count b);
/* Not known where it is no whole number from 0 on. */
struct count count_of(const struct json *value);
struct number number_of(const struct json *value);
/* "" where it is no string. */
const char *string_of(const struct json *value);

#endif
