// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader/schema.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>

/* The required kind of a value. */
enum type {
  ANYTHING,
  STRING,
  BOOLEAN,
  SCALAR,  /* a string, number or boolean */
  COUNT,   /* 0 to 2^64-1 */
  INTEGER, /* -2^63 to 2^63-1 */
  AMOUNT,  /* a number not below 0 */
  NUMBER,
  ARRAY_OR_OBJECT, /* types from here on: values in values */
};

static const char *const wanted[] = {
    [STRING] = "a string",
    [BOOLEAN] = "true or false",
    [SCALAR] = "a string, a number or a boolean",
    [COUNT] = "a whole number from 0 to 2^64-1",
    [INTEGER] = "a whole number from -2^63 to 2^63-1",
    [AMOUNT] = "a number that is not negative",
    [NUMBER] = "a number",
};

/* Objects, and arrays of them; each has rules for its members or items. */
#define GP_CONTAINERS(X)                                                                                     \
  X(ROOT, OBJECT)                                                                                            \
  X(CONTEXT, OBJECT)                                                                                         \
  X(END, OBJECT)                                                                                             \
  X(OVERHEAD, OBJECT)                                                                                        \
  X(OWN_COST, OBJECT)                                                                                        \
  X(BUILDS, ARRAY)                                                                                           \
  X(BUILD, OBJECT)                                                                                           \
  X(COMMUNICATION, OBJECT)                                                                                   \
  X(RANKS, ARRAY)                                                                                            \
  X(RANK, OBJECT)                                                                                            \
  X(OVER_RANKS, OBJECT)                                                                                      \
  X(SPREAD, OBJECT)                                                                                          \
  X(FUNCTIONS, ARRAY)                                                                                        \
  X(FUNCTION, OBJECT)                                                                                        \
  X(COMMON_ENDS, OBJECT)                                                                                     \
  X(MOMENTS, ARRAY)                                                                                          \
  X(DEVICE, OBJECT)                                                                                          \
  X(HOST, OBJECT)                                                                                            \
  X(DEVICES, ARRAY)                                                                                          \
  X(DEVICE_ROW, OBJECT)                                                                                      \
  X(CEILINGS, OBJECT)                                                                                        \
  X(CEILING_LIST, ARRAY)                                                                                     \
  X(CEILING, OBJECT)                                                                                         \
  X(READING, OBJECT)                                                                                         \
  X(NAMES, ARRAY)                                                                                            \
  X(COLUMNS, OBJECT)                                                                                         \
  X(VALUES, ARRAY)                                                                                           \
  X(SITES, ARRAY)                                                                                            \
  X(ENTRIES, ARRAY)                                                                                          \
  X(CHILDREN, ARRAY)                                                                                         \
  X(ENTRY, OBJECT)                                                                                           \
  X(ESTIMATE, OBJECT)                                                                                        \
  X(EXACT, OBJECT)                                                                                           \
  X(LEFT_OUT, OBJECT)                                                                                        \
  X(TIME, OBJECT)                                                                                            \
  X(HOST_TIME, OBJECT)                                                                                       \
  X(FLOPS, OBJECT)                                                                                           \
  X(COUNTS, OBJECT)                                                                                          \
  X(BYTES, OBJECT)                                                                                           \
  X(COALESCING, OBJECT)                                                                                      \
  X(INTENSITY, OBJECT)                                                                                       \
  X(ROOFLINE, OBJECT)                                                                                        \
  X(EXPECTED, OBJECT)                                                                                        \
  X(ENERGY, OBJECT)                                                                                          \
  X(OCCUPANCY, OBJECT)                                                                                       \
  X(SNN, OBJECT)                                                                                             \
  X(STEPS, ARRAY)                                                                                            \
  X(STEP, OBJECT)                                                                                            \
  X(INTEGERS, OBJECT)                                                                                        \
  X(HARDWARE, OBJECT)                                                                                        \
  X(NUMBERS, OBJECT)                                                                                         \
  X(COPIES, OBJECT)                                                                                          \
  X(COPY_SUM, OBJECT)                                                                                        \
  X(TIMELINE, OBJECT)                                                                                        \
  X(DEVICE_LINES, ARRAY)                                                                                     \
  X(DEVICE_LINE, OBJECT)                                                                                     \
  X(GAPS, OBJECT)                                                                                            \
  X(GAP_LIST, ARRAY)                                                                                         \
  X(GAP, OBJECT)                                                                                             \
  X(LATENCY, OBJECT)                                                                                         \
  X(STREAMS, ARRAY)                                                                                          \
  X(STREAM, OBJECT)                                                                                          \
  X(LINES, ARRAY)                                                                                            \
  X(LINE, OBJECT)                                                                                            \
  X(MEMORY, OBJECT)                                                                                          \
  X(MEMORY_SITES, ARRAY)                                                                                     \
  X(MEMORY_SITE, OBJECT)                                                                                     \
  X(MEMORY_EXHAUSTED, OBJECT)                                                                                \
  X(MEMORY_PLACES, ARRAY)                                                                                    \
  X(MEMORY_PLACE, OBJECT)                                                                                    \
  X(MEMORY_CURVE, OBJECT)                                                                                    \
  X(MEMORY_BYTES, ARRAY)                                                                                     \
  X(MEMORY_POOL, OBJECT)                                                                                     \
  X(MEMORY_KINDS, OBJECT)                                                                                    \
  X(MEMORY_STACKS, ARRAY)                                                                                    \
  X(MEMORY_STACK, ARRAY)                                                                                     \
  X(MEMORY_FRAME, ARRAY)                                                                                     \
  X(MEMORY_MODULES, ARRAY)                                                                                   \
  X(MEMORY_MODULE, OBJECT)                                                                                   \
  X(ROW_MEMORY, OBJECT)                                                                                      \
  X(UNCOUNTED, ARRAY)                                                                                        \
  X(NOTES, ARRAY)                                                                                            \
  X(REMARK, OBJECT)

enum container {
#define GP_CONTAINER_ID(id, kind) IN_##id,
  GP_CONTAINERS(GP_CONTAINER_ID)
#undef GP_CONTAINER_ID
      CONTAINER_COUNT
};
/* The container types follow the others. */
#define A(id) (ARRAY_OR_OBJECT + IN_##id)

static const enum json_kind container_kinds[CONTAINER_COUNT] = {
#define GP_CONTAINER_KIND(id, kind) JSON_##kind,
    GP_CONTAINERS(GP_CONTAINER_KIND)
#undef GP_CONTAINER_KIND
};

/* `key`: a member's, "*" for items and for members without a rule of their own. */
static const struct rule {
  enum container in;
  const char *key;
  unsigned type;
} rules[] = {
    {IN_ROOT, "context", A(CONTEXT)},
    {IN_ROOT, "communication", A(COMMUNICATION)},
    {IN_ROOT, "device", A(DEVICE)},
    {IN_ROOT, "host", A(HOST)},
    {IN_ROOT, "devices", A(DEVICES)},
    {IN_ROOT, "ceilings", A(CEILINGS)},
    {IN_ROOT, "energy", A(ENERGY)},
    {IN_ROOT, "rows", A(READING)},
    {IN_ROOT, "regions", A(ENTRIES)},
    {IN_ROOT, "kernels", A(ENTRIES)},
    {IN_ROOT, "uncounted", A(UNCOUNTED)},
    {IN_ROOT, "copies", A(COPIES)},
    {IN_ROOT, "timeline", A(TIMELINE)},
    {IN_COPIES, "*", A(COPY_SUM)},
    {IN_COPY_SUM, "count", COUNT},
    {IN_COPY_SUM, "bytes", COUNT},
    {IN_COPY_SUM, "pageable_bytes", COUNT},
    {IN_COPY_SUM, "pinned_bytes", COUNT},
    {IN_COPY_SUM, "timed", COUNT},
    {IN_COPY_SUM, "time_ns", COUNT},
    {IN_COPY_SUM, "bytes_per_second", AMOUNT},
    {IN_TIMELINE, "source", STRING},
    {IN_TIMELINE, "gpu_busy_ns", COUNT},
    {IN_TIMELINE, "gpu_idle_ns", COUNT},
    {IN_TIMELINE, "gpu_span_ns", COUNT},
    {IN_TIMELINE, "device_busy_ns", COUNT},
    {IN_TIMELINE, "device_idle_ns", COUNT},
    {IN_TIMELINE, "device_span_ns", COUNT},
    {IN_TIMELINE, "devices", A(DEVICE_LINES)},
    {IN_DEVICE_LINES, "*", A(DEVICE_LINE)},
    {IN_DEVICE_LINE, "index", COUNT},
    {IN_DEVICE_LINE, "first_ns", COUNT},
    {IN_DEVICE_LINE, "span_ns", COUNT},
    {IN_DEVICE_LINE, "busy_ns", COUNT},
    {IN_DEVICE_LINE, "idle_ns", COUNT},
    {IN_DEVICE_LINE, "overlap_ns", COUNT},
    {IN_DEVICE_LINE, "own_ns", COUNT},
    {IN_DEVICE_LINE, "left_out_ns", COUNT},
    {IN_DEVICE_LINE, "kernels", COUNT},
    {IN_DEVICE_LINE, "copies", COUNT},
    {IN_DEVICE_LINE, "graphs", COUNT},
    {IN_DEVICE_LINE, "gaps", A(GAPS)},
    {IN_DEVICE_LINE, "launch_latency_ns", A(LATENCY)},
    {IN_DEVICE_LINE, "streams", A(STREAMS)},
    {IN_GAPS, "count", COUNT},
    {IN_GAPS, "total_ns", COUNT},
    {IN_GAPS, "longest_ns", COUNT},
    {IN_GAPS, "longest", A(GAP_LIST)},
    {IN_GAP_LIST, "*", A(GAP)},
    {IN_GAP, "start_ns", COUNT},
    {IN_GAP, "length_ns", COUNT},
    {IN_GAP, "host", STRING},
    {IN_GAP, "region", STRING},
    {IN_GAP, "synchronisation_ns", COUNT},
    {IN_GAP, "copy_ns", COUNT},
    {IN_LATENCY, "launches", COUNT},
    {IN_LATENCY, "median", COUNT},
    {IN_LATENCY, "p95", COUNT},
    {IN_LATENCY, "max", COUNT},
    {IN_STREAMS, "*", A(STREAM)},
    {IN_STREAM, "stream", COUNT},
    {IN_STREAM, "busy_ns", COUNT},
    {IN_STREAM, "kernels", COUNT},
    {IN_STREAM, "copies", COUNT},
    {IN_STREAM, "graphs", COUNT},
    {IN_STREAM, "gaps", A(GAPS)},
    {IN_ROOT, "notes", A(NOTES)},
    {IN_ROOT, "memory", A(MEMORY)},
    {IN_MEMORY, "peak_bytes", COUNT},
    {IN_MEMORY, "peak_time_ns", COUNT},
    {IN_MEMORY, "average_bytes", COUNT},
    {IN_MEMORY, "end_bytes", COUNT},
    {IN_MEMORY, "allocated_bytes", COUNT},
    {IN_MEMORY, "allocations", COUNT},
    {IN_MEMORY, "releases", COUNT},
    {IN_MEMORY, "leaked_bytes", COUNT},
    {IN_MEMORY, "leaked_allocations", COUNT},
    {IN_MEMORY, "unknown_releases", COUNT},
    {IN_MEMORY, "refused_releases", COUNT},
    {IN_MEMORY, "refused_allocations", COUNT},
    {IN_MEMORY, "reset_releases", COUNT},
    {IN_MEMORY, "unsized_allocations", COUNT},
    {IN_MEMORY, "leaks", A(MEMORY_SITES)},
    {IN_MEMORY, "largest", A(MEMORY_SITES)},
    {IN_MEMORY, "exhausted", A(MEMORY_EXHAUSTED)},
    {IN_MEMORY, "graphs", A(COUNTS)},
    {IN_MEMORY, "places", A(MEMORY_PLACES)},
    {IN_MEMORY, "stacks", A(MEMORY_STACKS)},
    {IN_MEMORY, "modules", A(MEMORY_MODULES)},
    {IN_MEMORY_EXHAUSTED, "allocations", COUNT},
    {IN_MEMORY_EXHAUSTED, "first", A(MEMORY_SITES)},
    {IN_MEMORY_SITES, "*", A(MEMORY_SITE)},
    {IN_MEMORY_SITE, "bytes", COUNT},
    {IN_MEMORY_SITE, "allocations", COUNT},
    {IN_MEMORY_SITE, "device", COUNT},
    {IN_MEMORY_SITE, "stack", COUNT},
    {IN_MEMORY_SITE, "time_ns", COUNT},
    {IN_MEMORY_SITE, "held_bytes", COUNT},
    {IN_MEMORY_SITE, "used_bytes", COUNT},
    {IN_MEMORY_SITE, "kind", STRING},
    {IN_MEMORY_SITE, "region", STRING},
    {IN_MEMORY_SITE, "function", STRING},
    {IN_MEMORY_SITE, "released", BOOLEAN},
    {IN_MEMORY_SITE, "held", A(MEMORY_SITES)},
    {IN_MEMORY_PLACES, "*", A(MEMORY_PLACE)},
    {IN_MEMORY_PLACE, "device", COUNT},
    {IN_MEMORY_PLACE, "peak_bytes", COUNT},
    {IN_MEMORY_PLACE, "peak_time_ns", COUNT},
    {IN_MEMORY_PLACE, "average_bytes", COUNT},
    {IN_MEMORY_PLACE, "end_bytes", COUNT},
    {IN_MEMORY_PLACE, "allocated_bytes", COUNT},
    {IN_MEMORY_PLACE, "allocations", COUNT},
    {IN_MEMORY_PLACE, "releases", COUNT},
    {IN_MEMORY_PLACE, "used_bytes", COUNT},
    {IN_MEMORY_PLACE, "default_pool", A(MEMORY_POOL)},
    {IN_MEMORY_PLACE, "kinds", A(MEMORY_KINDS)},
    {IN_MEMORY_PLACE, "at_peak", A(MEMORY_SITES)},
    {IN_MEMORY_PLACE, "curve", A(MEMORY_CURVE)},
    {IN_MEMORY_POOL, "*", COUNT},
    {IN_MEMORY_KINDS, "*", A(MEMORY_POOL)},
    {IN_MEMORY_CURVE, "width_ns", COUNT},
    {IN_MEMORY_CURVE, "most_bytes", A(MEMORY_BYTES)},
    {IN_MEMORY_CURVE, "last_bytes", A(MEMORY_BYTES)},
    {IN_MEMORY_BYTES, "*", COUNT},
    {IN_MEMORY_STACKS, "*", A(MEMORY_STACK)},
    {IN_MEMORY_STACK, "*", A(MEMORY_FRAME)},
    {IN_MEMORY_MODULES, "*", A(MEMORY_MODULE)},
    {IN_MEMORY_MODULE, "path", STRING},
    {IN_MEMORY_MODULE, "build_id", STRING},
    {IN_ENTRY, "memory", A(ROW_MEMORY)},
    {IN_ROW_MEMORY, "allocated_bytes", COUNT},
    {IN_ROW_MEMORY, "released_bytes", COUNT},
    {IN_ROW_MEMORY, "allocations", COUNT},
    {IN_ROW_MEMORY, "releases", COUNT},
    {IN_ROW_MEMORY, "peak_bytes", COUNT},
    {IN_ROW_MEMORY, "net_bytes", INTEGER},
    {IN_CONTEXT, "tool_version", STRING},
    {IN_CONTEXT, "command", STRING},
    {IN_CONTEXT, "host", STRING},
    {IN_CONTEXT, "start_time", STRING},
    {IN_CONTEXT, "compiler", STRING},
    {IN_CONTEXT, "plugin_options", SCALAR},
    {IN_CONTEXT, "pid", COUNT},
    {IN_CONTEXT, "rank", INTEGER},
    {IN_CONTEXT, "world_size", INTEGER},
    {IN_CONTEXT, "local_rank", INTEGER},
    {IN_CONTEXT, "local_size", INTEGER},
    {IN_CONTEXT, "launcher", STRING},
    {IN_CONTEXT, "device_uuid", STRING},
    {IN_CONTEXT, "duration_ns", COUNT},
    {IN_CONTEXT, "warmup", COUNT},
    {IN_CONTEXT, "filter", STRING},
    {IN_CONTEXT, "sample", COUNT},
    {IN_CONTEXT, "exact", A(EXACT)},
    {IN_EXACT, "matched", BOOLEAN},
    {IN_EXACT, "why", STRING},
    {IN_CONTEXT, "overhead", A(OVERHEAD)},
    {IN_OVERHEAD, "launches_ns", COUNT},
    {IN_OVERHEAD, "kernels_ratio", AMOUNT},
    {IN_OVERHEAD, "launch_ns", A(OWN_COST)},
    {IN_OVERHEAD, "region_ns", A(OWN_COST)},
    {IN_OVERHEAD, "regions_ns", COUNT},
    {IN_OVERHEAD, "threads_ns", COUNT},
    {IN_OVERHEAD, "host_bytes", COUNT},
    {IN_OVERHEAD, "device_bytes", COUNT},
    {IN_OVERHEAD, "clones_ns", COUNT},
    {IN_OVERHEAD, "share", AMOUNT},
    {IN_OWN_COST, "*", COUNT},
    {IN_CONTEXT, "builds", A(BUILDS)},
    {IN_CONTEXT, "end", A(END)},
    {IN_END, "state", STRING},
    {IN_END, "how", STRING},
    {IN_END, "signal", COUNT},
    {IN_END, "counted_until_ns", COUNT},
    {IN_END, "process_start", COUNT},
    {IN_END, "launches_running", COUNT},
    {IN_BUILDS, "*", A(BUILD)},
    {IN_BUILD, "optimization", SCALAR},
    {IN_BUILD, "architecture", SCALAR},
    {IN_BUILD, "headers", SCALAR},
    {IN_BUILD, "cuda_version", SCALAR},
    {IN_BUILD, "fast_math", SCALAR},
    {IN_BUILD, "contraction", SCALAR},
    {IN_BUILD, "compiler", SCALAR},
    {IN_BUILD, "plugin_version", SCALAR},
    {IN_CONTEXT, "ranks", A(RANKS)},
    {IN_RANKS, "*", A(RANK)},
    {IN_RANK, "rank", INTEGER},
    {IN_RANK, "local_rank", INTEGER},
    {IN_RANK, "file", STRING},
    {IN_RANK, "host", STRING},
    {IN_RANK, "pid", COUNT},
    {IN_RANK, "device", STRING},
    {IN_RANK, "device_uuid", STRING},
    {IN_RANK, "start_time", STRING},
    {IN_RANK, "end_state", STRING},
    {IN_RANK, "duration_ns", COUNT},
    {IN_RANK, "launches", COUNT},
    {IN_RANK, "flops", COUNT},
    {IN_RANK, "time_ns", COUNT},
    {IN_RANK, "peak_bytes", COUNT},
    {IN_RANK, "communication", A(COMMUNICATION)},
    {IN_RANK, "clock_offset_ns", INTEGER},
    {IN_RANK, "clock_error_ns", COUNT},
    {IN_ENTRY, "over_ranks", A(OVER_RANKS)},
    {IN_OVER_RANKS, "ranks", COUNT},
    {IN_OVER_RANKS, "executions", A(SPREAD)},
    {IN_OVER_RANKS, "launches", A(SPREAD)},
    {IN_OVER_RANKS, "flops", A(SPREAD)},
    {IN_OVER_RANKS, "time_ns", A(SPREAD)},
    {IN_SPREAD, "min", COUNT},
    {IN_SPREAD, "max", COUNT},
    {IN_SPREAD, "max_rank", COUNT},
    {IN_COMMUNICATION, "calls", COUNT},
    {IN_COMMUNICATION, "bytes", COUNT},
    {IN_COMMUNICATION, "unknown_size_calls", COUNT},
    {IN_COMMUNICATION, "time_ns", COUNT},
    {IN_COMMUNICATION, "kernels_ns", COUNT},
    {IN_COMMUNICATION, "share", AMOUNT},
    {IN_COMMUNICATION, "functions", A(FUNCTIONS)},
    {IN_COMMUNICATION, "common_ends", A(COMMON_ENDS)},
    {IN_FUNCTIONS, "*", A(FUNCTION)},
    {IN_FUNCTION, "name", STRING},
    {IN_FUNCTION, "calls", COUNT},
    {IN_FUNCTION, "unknown_size_calls", COUNT},
    {IN_FUNCTION, "bytes", COUNT},
    {IN_FUNCTION, "time_ns", COUNT},
    {IN_COMMON_ENDS, "stride", COUNT},
    {IN_COMMON_ENDS, "realtime_ns", A(MOMENTS)},
    {IN_MOMENTS, "*", COUNT},
    {IN_DEVICE, "kind", STRING},
    {IN_DEVICE, "name", STRING},
    {IN_DEVICE, "chip", STRING},
    {IN_DEVICE, "sm_count", COUNT},
    {IN_HOST, "threads", COUNT},
    {IN_HOST, "regions_ns", COUNT},
    {IN_HOST, "waiting_ns", COUNT},
    {IN_HOST, "waits", COUNT},
    {IN_HOST, "clock", STRING},
    {IN_DEVICES, "*", A(DEVICE_ROW)},
    {IN_DEVICE_ROW, "index", COUNT},
    {IN_DEVICE_ROW, "launches", COUNT},
    {IN_DEVICE_ROW, "threads", COUNT},
    {IN_DEVICE_ROW, "flops", A(FLOPS)},
    {IN_DEVICE_ROW, "special_functions", COUNT},
    {IN_DEVICE_ROW, "integer_ops", COUNT},
    {IN_DEVICE_ROW, "compares", COUNT},
    {IN_DEVICE_ROW, "conversions", COUNT},
    {IN_DEVICE_ROW, "atomic_ops", COUNT},
    {IN_DEVICE_ROW, "bytes", A(BYTES)},
    {IN_CEILINGS, "flops", A(CEILING_LIST)},
    {IN_CEILINGS, "bytes", A(CEILING_LIST)},
    {IN_CEILINGS, "special_functions", A(CEILING)},
    {IN_CEILINGS, "integer", A(CEILING_LIST)},
    {IN_CEILING_LIST, "*", A(CEILING)},
    {IN_CEILING, "precision", STRING},
    {IN_CEILING, "instruction", STRING},
    {IN_CEILING, "level", STRING},
    {IN_CEILING, "operation", STRING},
    {IN_CEILING, "unit", STRING},
    {IN_CEILING, "source", STRING},
    {IN_CEILING, "per_second", AMOUNT},
    {IN_READING, "defaults", A(ENTRY)},
    {IN_READING, "inherited", A(NAMES)},
    {IN_READING, "lines", A(COLUMNS)},
    {IN_READING, "per_step", A(COLUMNS)},
    {IN_READING, "files", A(NAMES)},
    {IN_READING, "sites", A(SITES)},
    {IN_NAMES, "*", STRING},
    {IN_COLUMNS, "columns", A(NAMES)},
    {IN_COLUMNS, "defaults", A(VALUES)},
    {IN_SITES, "*", A(ENTRY)},
    {IN_ENTRIES, "*", A(ENTRY)},
    {IN_CHILDREN, "*", A(ENTRY)},
    {IN_ENTRY, "name", STRING},
    {IN_ENTRY, "site", COUNT},
    {IN_ENTRY, "mangled", STRING},
    {IN_ENTRY, "path", STRING},
    {IN_ENTRY, "parent", STRING},
    {IN_ENTRY, "kind", STRING},
    {IN_ENTRY, "file", STRING},
    {IN_ENTRY, "line", COUNT},
    {IN_ENTRY, "phase", STRING},
    {IN_ENTRY, "category", STRING},
    {IN_ENTRY, "counted_by", STRING},
    {IN_ENTRY, "executions", COUNT},
    {IN_ENTRY, "launches", COUNT},
    {IN_ENTRY, "uncounted_launches", COUNT},
    {IN_ENTRY, "threads", COUNT},
    {IN_ENTRY, "special_functions", COUNT},
    {IN_ENTRY, "integer_ops", COUNT},
    {IN_ENTRY, "integer_least", A(COUNTS)},
    {IN_ENTRY, "compares", COUNT},
    {IN_ENTRY, "conversions", COUNT},
    {IN_ENTRY, "atomic_ops", COUNT},
    {IN_ENTRY, "energy_joules", AMOUNT},
    {IN_ENTRY, "energy_seconds", AMOUNT},
    {IN_ENTRY, "left_out", A(LEFT_OUT)},
    {IN_ENTRY, "estimate", A(ESTIMATE)},
    {IN_ESTIMATE, "counted_launches", COUNT},
    {IN_ENTRY, "time_ns", A(TIME)},
    {IN_ENTRY, "host_time_ns", A(HOST_TIME)},
    {IN_ENTRY, "flops", A(FLOPS)},
    {IN_ENTRY, "bytes", A(BYTES)},
    {IN_ENTRY, "coalescing", A(COALESCING)},
    {IN_ENTRY, "intensity", A(INTENSITY)},
    {IN_ENTRY, "roofline", A(ROOFLINE)},
    {IN_ENTRY, "expected", A(EXPECTED)},
    {IN_ENTRY, "occupancy", A(OCCUPANCY)},
    {IN_ENTRY, "snn", A(SNN)},
    {IN_ENTRY, "user_counters", A(INTEGERS)},
    {IN_ENTRY, "copies", A(COPIES)},
    {IN_ENTRY, "hardware", A(HARDWARE)},
    {IN_ENTRY, "lines", A(LINES)},
    {IN_ENTRY, "children", A(CHILDREN)},
    {IN_LEFT_OUT, "executions", COUNT},
    {IN_LEFT_OUT, "launches", COUNT},
    {IN_TIME, "source", STRING},
    {IN_TIME, "total", COUNT},
    {IN_TIME, "min", COUNT},
    {IN_TIME, "median", COUNT},
    {IN_TIME, "p95", COUNT},
    {IN_TIME, "max", COUNT},
    {IN_HOST_TIME, "inclusive", COUNT},
    {IN_HOST_TIME, "exclusive", COUNT},
    {IN_HOST_TIME, "waiting", COUNT},
    {IN_HOST_TIME, "min", COUNT},
    {IN_HOST_TIME, "median", COUNT},
    {IN_HOST_TIME, "p95", COUNT},
    {IN_HOST_TIME, "max", COUNT},
    {IN_FLOPS, "total", COUNT},
    {IN_FLOPS, "fp64", A(COUNTS)},
    {IN_FLOPS, "fp32", A(COUNTS)},
    {IN_FLOPS, "fp16", A(COUNTS)},
    {IN_FLOPS, "bf16", A(COUNTS)},
    {IN_FLOPS, "tensor", A(COUNTS)},
    {IN_FLOPS, "tensor_mma_sync", A(COUNTS)},
    {IN_COUNTS, "*", COUNT},
    {IN_BYTES, "global", A(COUNTS)},
    {IN_BYTES, "shared", A(COUNTS)},
    {IN_BYTES, "local", A(COUNTS)},
    {IN_BYTES, "constant", A(COUNTS)},
    {IN_BYTES, "unique", COUNT},
    {IN_BYTES, "l1", COUNT},
    {IN_BYTES, "l2", COUNT},
    {IN_BYTES, "dram", COUNT},
    {IN_COALESCING, "requests", COUNT},
    {IN_COALESCING, "sectors", COUNT},
    {IN_COALESCING, "sectors_per_request", AMOUNT},
    {IN_INTENSITY, "dram_source", STRING},
    {IN_INTENSITY, "requested", AMOUNT},
    {IN_INTENSITY, "l1", AMOUNT},
    {IN_INTENSITY, "l1_source", STRING},
    {IN_INTENSITY, "l2", AMOUNT},
    {IN_INTENSITY, "dram", AMOUNT},
    {IN_ROOFLINE, "bound", STRING},
    {IN_ROOFLINE, "status", STRING},
    {IN_ROOFLINE, "model_times_ns", A(NUMBERS)},
    {IN_ROOFLINE, "attained_per_second", AMOUNT},
    {IN_ROOFLINE, "attainable_per_second", AMOUNT},
    {IN_ROOFLINE, "percent", AMOUNT},
    {IN_EXPECTED, "flops", AMOUNT},
    {IN_EXPECTED, "bytes", AMOUNT},
    {IN_EXPECTED, "items", AMOUNT},
    {IN_EXPECTED, "executed_over_expected", AMOUNT},
    {IN_ENERGY, "source", STRING},
    {IN_ENERGY, "joules", AMOUNT},
    {IN_ENERGY, "seconds", AMOUNT},
    {IN_ENERGY, "mean_watts", AMOUNT},
    {IN_ENERGY, "idle_watts", AMOUNT},
    {IN_ENERGY, "idle_seconds", AMOUNT},
    {IN_ENERGY, "updates", COUNT},
    {IN_OCCUPANCY, "theoretical", AMOUNT},
    {IN_OCCUPANCY, "theoretical_least", AMOUNT},
    {IN_OCCUPANCY, "theoretical_most", AMOUNT},
    {IN_OCCUPANCY, "limiter", STRING},
    {IN_OCCUPANCY, "blocks_per_sm", COUNT},
    {IN_OCCUPANCY, "block_threads", COUNT},
    {IN_OCCUPANCY, "dynamic_shared_bytes", COUNT},
    {IN_OCCUPANCY, "cluster_blocks", COUNT},
    {IN_OCCUPANCY, "registers", COUNT},
    {IN_OCCUPANCY, "local_bytes", COUNT},
    {IN_OCCUPANCY, "spill_store_bytes", COUNT},
    {IN_OCCUPANCY, "spill_load_bytes", COUNT},
    {IN_OCCUPANCY, "static_shared_bytes", COUNT},
    {IN_OCCUPANCY, "architecture", COUNT},
    {IN_OCCUPANCY, "source", STRING},
    {IN_OCCUPANCY, "waves", AMOUNT},
    {IN_OCCUPANCY, "wave_efficiency", AMOUNT},
    {IN_OCCUPANCY, "achieved", AMOUNT},
    {IN_OCCUPANCY, "achieved_source", STRING},
    {IN_SNN, "spikes_positive", COUNT},
    {IN_SNN, "spikes_negative", COUNT},
    {IN_SNN, "silent", COUNT},
    {IN_SNN, "synaptic_ops", COUNT},
    {IN_SNN, "synaptic_accumulates", COUNT},
    {IN_SNN, "synaptic_multiply_accumulates", COUNT},
    {IN_SNN, "synaptic_possible", COUNT},
    {IN_SNN, "synaptic_skipped", COUNT},
    {IN_SNN, "synaptic_density", AMOUNT},
    {IN_SNN, "firing_rate", AMOUNT},
    {IN_SNN, "per_step", A(STEPS)},
    {IN_STEPS, "*", A(STEP)},
    {IN_STEP, "step", INTEGER},
    {IN_STEP, "firing_rate", AMOUNT},
    {IN_STEP, "user_counters", A(INTEGERS)},
    {IN_STEP, "flops", COUNT},
    {IN_STEP, "bytes", COUNT},
    {IN_STEP, "spikes_positive", COUNT},
    {IN_STEP, "spikes_negative", COUNT},
    {IN_STEP, "silent", COUNT},
    {IN_STEP, "synaptic_ops", COUNT},
    {IN_STEP, "synaptic_accumulates", COUNT},
    {IN_STEP, "synaptic_multiply_accumulates", COUNT},
    {IN_STEP, "synaptic_possible", COUNT},
    {IN_STEP, "synaptic_skipped", COUNT},
    {IN_STEP, "synaptic_density", AMOUNT},
    {IN_INTEGERS, "*", INTEGER},
    {IN_HARDWARE, "launches", COUNT},
    {IN_HARDWARE, "counters", A(NUMBERS)},
    {IN_HARDWARE, "counted", A(NUMBERS)},
    {IN_HARDWARE, "expected", A(NUMBERS)},
    {IN_HARDWARE, "expected_least", A(NUMBERS)},
    {IN_HARDWARE, "distinct", A(NUMBERS)},
    {IN_HARDWARE, "difference_percent", A(NUMBERS)},
    {IN_HARDWARE, "unexplained_percent", A(NUMBERS)},
    {IN_NUMBERS, "*", NUMBER},
    {IN_LINES, "*", A(LINE)},
    {IN_LINE, "file", STRING},
    {IN_LINE, "line", COUNT},
    {IN_LINE, "flops", COUNT},
    {IN_LINE, "bytes", COUNT},
    {IN_LINE, "shared_bytes", COUNT},
    {IN_LINE, "special_functions", COUNT},
    {IN_LINE, "integer_ops", COUNT},
    {IN_LINE, "executions", COUNT},
    {IN_UNCOUNTED, "*", A(REMARK)},
    {IN_NOTES, "*", A(REMARK)},
    {IN_REMARK, "launches", COUNT},
    {IN_REMARK, "about", STRING},
    {IN_REMARK, "text", STRING},
    {IN_REMARK, "where", STRING},
    {IN_REMARK, "what", STRING},
    {IN_REMARK, "why", STRING},
    {IN_REMARK, "standing", BOOLEAN},
};
#define RULE_COUNT (sizeof rules / sizeof *rules)

/* ---- Rules by the keys of one tree ---- */

/* A hash of (container, key) would do; a row of keys a container is as fast, since they are few. */
struct row {
  json_key keys[64];
  unsigned types[64];
  size_t count;
  unsigned others; /* the type of all other members, and of items */
};

static void fill_rows(const struct json_tree *tree, struct row rows[CONTAINER_COUNT]) {
  memset(rows, 0, CONTAINER_COUNT * sizeof *rows);
  for (size_t i = 0; i < RULE_COUNT; ++i) {
    struct row *row = &rows[rules[i].in];
    if (rules[i].key[0] == '*') {
      row->others = rules[i].type;
      continue;
    }
    row->keys[row->count] = json_key_of(tree, rules[i].key);
    row->types[row->count] = rules[i].type;
    row->count += row->keys[row->count] != JSON_NO_KEY;
  }
}

static unsigned type_of(const struct row *row, const struct json *value) {
  for (size_t i = 0; i < row->count; ++i)
    if (row->keys[i] == value->key)
      return row->types[i];
  return row->others;
}

/* ---- Values ---- */

/* 2^53: beyond it, a double stands for several whole numbers. */
#define EXACT_LIMIT 9007199254740992.0

/* "5.0" and "1e3" are whole numbers, too: other programs write them so. */
static bool is_whole(const struct json *value) {
  if (value->kind == JSON_WHOLE || value->kind == JSON_NEGATIVE)
    return true;
  return value->kind == JSON_REAL && value->real >= -EXACT_LIMIT && value->real <= EXACT_LIMIT &&
         value->real == (double)(int64_t)value->real;
}

static bool is_number(const struct json *value) {
  return value->kind == JSON_WHOLE || value->kind == JSON_NEGATIVE || value->kind == JSON_REAL;
}

static bool is_negative(const struct json *value) {
  return value->kind == JSON_NEGATIVE || (value->kind == JSON_REAL && value->real < 0);
}

/* The required value of `type`, in words. */
static const char *found(unsigned type, const struct json *value) {
  static const char *const names[] = {
      [JSON_NULL] = "null",       [JSON_BOOLEAN] = "a boolean", [JSON_WHOLE] = "a number",
      [JSON_NEGATIVE] = "a number", [JSON_REAL] = "a number",     [JSON_STRING] = "a string",
      [JSON_ARRAY] = "an array",  [JSON_OBJECT] = "an object"};
  if (!is_number(value) || (type != COUNT && type != INTEGER && type != AMOUNT))
    return names[value->kind];
  if (type != INTEGER && is_negative(value))
    return "a negative number";
  bool small = value->kind == JSON_REAL && value->real > -EXACT_LIMIT && value->real < EXACT_LIMIT;
  return small ? "a number with a fraction" : "a number beyond that";
}

static bool is_scalar_of(unsigned type, const struct json *value) {
  switch (type) {
  case STRING:
    return value->kind == JSON_STRING;
  case BOOLEAN:
    return value->kind == JSON_BOOLEAN;
  case SCALAR:
    return value->kind == JSON_STRING || value->kind == JSON_BOOLEAN || is_number(value);
  case COUNT:
    return is_whole(value) && !is_negative(value);
  case INTEGER:
    return is_whole(value) && (value->kind == JSON_REAL ||
                               value->magnitude <= (uint64_t)INT64_MAX + (value->kind == JSON_NEGATIVE));
  case AMOUNT:
    return is_number(value) && !is_negative(value);
  case NUMBER:
    return is_number(value);
  default:
    return true;
  }
}

/* Null is not known, but an item of a list must be there; children may also be named by their paths. */
static bool is_good(unsigned type, enum container in, const struct json *value) {
  if (value->kind == JSON_NULL)
    return container_kinds[in] == JSON_OBJECT || type == ANYTHING;
  if (in == IN_CHILDREN && value->kind == JSON_STRING)
    return true;
  return type < ARRAY_OR_OBJECT ? is_scalar_of(type, value)
                                : value->kind == container_kinds[type - ARRAY_OR_OBJECT];
}

/* ---- The walk ---- */

/* An array or object whose values are checked up to `next`. */
struct visit {
  const struct json *container;
  enum container in;
  uint32_t next;
};

struct walk {
  struct visit *visits; /* the innermost last */
  size_t depth, capacity;
};

static void enter(struct walk *walk, const struct json *container, enum container in) {
  if (!json_count(container))
    return;
  if (walk->depth == walk->capacity) {
    walk->capacity = walk->capacity ? 2 * walk->capacity : 64;
    walk->visits = reallocate(walk->visits, walk->capacity * sizeof *walk->visits);
  }
  walk->visits[walk->depth++] = (struct visit){container, in, 0};
}

static bool refuse(struct schema_error *error, unsigned type, const struct json *value) {
  bool is_container = type >= ARRAY_OR_OBJECT;
  *error = (struct schema_error){
      value->offset,
      !is_container                                           ? wanted[type]
      : container_kinds[type - ARRAY_OR_OBJECT] == JSON_ARRAY ? "an array"
                                                              : "an object",
      found(type, value)};
  return false;
}

bool schema_check(const struct json_tree *tree, struct schema_error *error) {
  struct row rows[CONTAINER_COUNT];
  struct walk walk = {0};
  bool good = true;
  fill_rows(tree, rows);
  enter(&walk, &tree->root, IN_ROOT);
  while (good && walk.depth) {
    struct visit *visit = &walk.visits[walk.depth - 1];
    if (visit->next == json_count(visit->container)) {
      --walk.depth;
      continue;
    }
    const struct json *value = json_item(visit->container, visit->next++);
    unsigned type = type_of(&rows[visit->in], value);
    if (!is_good(type, visit->in, value))
      good = refuse(error, type, value);
    else if (type >= ARRAY_OR_OBJECT && value->kind != JSON_STRING)
      enter(&walk, value, (enum container)(type - ARRAY_OR_OBJECT));
  }
  free(walk.visits);
  return good;
}
