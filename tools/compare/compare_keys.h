/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every count compared by `gpuprof diff` and `gpuprof check`: a new count is one line here. */
#ifndef GP_TOOL_COMPARE_KEYS_H
#define GP_TOOL_COMPARE_KEYS_H

/* The places of a key, one bit each: regions, kernels and devices; the steps of a region; uncounted work; the
 * memory of the program; the whole run; functions of communication. */
enum compared_in { IN_ROW = 1, IN_STEP = 2, IN_UNCOUNTED = 4, IN_MEMORY = 8, IN_RUN = 16, IN_FUNCTION = 32 };

/* A key's value: a number; an object with members of the tool (a member of one
 * document only is of another version); an object with members named by the program. */
enum compared_shape { ONE_COUNT, MEMBERS, NAMED_MEMBERS };

/* The condition for a difference to fail a check. Work may shrink: less is no regression.
 * The program's behaviour (spikes, its own counters, its statements) must stay. */
enum compared_fails { IF_GROWN, IF_CHANGED, NEVER };

/* Whether null in one document is a difference: some counts are known on some devices only. Directions
 * without a copy are left out of a document. */
enum compared_known { ALWAYS_KNOWN, KNOWN_BY_DEVICE, ZERO_IF_ABSENT };

/* path in the JSON, name for people ('*': the member's), where, shape, when it fails, known */
#define GP_COMPARED_KEYS(X)                                                                                  \
  X("flops.total", "FLOPs", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                                       \
  X("bytes.global.load", "global load bytes", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                     \
  X("bytes.global.store", "global store bytes", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                   \
  X("bytes.global.atomic", "global atomic bytes", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                 \
  X("bytes.unique", "unique bytes", IN_ROW, ONE_COUNT, IF_GROWN, KNOWN_BY_DEVICE)                            \
  X("flops.fp64", "fp64 * FLOPs", IN_ROW, MEMBERS, IF_GROWN, ALWAYS_KNOWN)                                   \
  X("flops.fp32", "fp32 * FLOPs", IN_ROW, MEMBERS, IF_GROWN, ALWAYS_KNOWN)                                   \
  X("flops.fp16", "fp16 * FLOPs", IN_ROW, MEMBERS, IF_GROWN, ALWAYS_KNOWN)                                   \
  X("flops.bf16", "bf16 * FLOPs", IN_ROW, MEMBERS, IF_GROWN, ALWAYS_KNOWN)                                   \
  X("flops.tensor", "tensor * operations", IN_ROW, MEMBERS, IF_GROWN, ALWAYS_KNOWN)                          \
  X("special_functions", "special functions", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                     \
  X("integer_ops", "integer operations", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                          \
  X("compares", "compares", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                                       \
  X("conversions", "conversions", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                                 \
  X("atomic_ops", "atomic operations", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                            \
  X("bytes.shared.load", "shared load bytes", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                     \
  X("bytes.shared.store", "shared store bytes", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                   \
  X("bytes.shared.atomic", "shared atomic bytes", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                 \
  X("bytes.local.load", "local load bytes", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                       \
  X("bytes.local.store", "local store bytes", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                     \
  X("bytes.local.atomic", "local atomic bytes", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                   \
  X("bytes.constant.load", "constant load bytes", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                 \
  X("bytes.global.uniform", "global uniform bytes", IN_ROW, ONE_COUNT, NEVER, ALWAYS_KNOWN)                  \
  X("bytes.shared.uniform", "shared uniform bytes", IN_ROW, ONE_COUNT, NEVER, ALWAYS_KNOWN)                  \
  X("coalescing.requests", "requests", IN_ROW, ONE_COUNT, IF_GROWN, KNOWN_BY_DEVICE)                         \
  X("coalescing.sectors", "sectors of requests", IN_ROW, ONE_COUNT, IF_GROWN, KNOWN_BY_DEVICE)               \
  X("executions", "executions", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                                   \
  X("launches", "launches", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                                       \
  X("uncounted_launches", "uncounted launches", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                   \
  X("threads", "threads", IN_ROW, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                                         \
  X("left_out.executions", "executions left out", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)               \
  X("left_out.launches", "launches left out", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                   \
  X("estimate.counted_launches", "launches counted", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)            \
  X("snn.spikes_positive", "positive spikes", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                   \
  X("snn.spikes_negative", "negative spikes", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                   \
  X("snn.silent", "silent", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                                     \
  X("snn.firing_rate", "firing rate", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                           \
  X("snn.synaptic_ops", "synaptic operations", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                  \
  X("snn.synaptic_accumulates", "synaptic accumulates", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)         \
  X("snn.synaptic_multiply_accumulates", "synaptic MACs", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)       \
  X("snn.synaptic_possible", "synaptic possible", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)               \
  X("snn.synaptic_skipped", "synaptic skipped", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                 \
  X("snn.synaptic_density", "synaptic density", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                 \
  X("user_counters", "counter *", IN_ROW, NAMED_MEMBERS, IF_CHANGED, ALWAYS_KNOWN)                           \
  X("expected.flops", "expected FLOPs", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                         \
  X("expected.bytes", "expected bytes", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                         \
  X("expected.items", "expected items", IN_ROW, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                         \
  X("copies.host_to_device.count", "host to device copies", IN_ROW | IN_RUN, ONE_COUNT, IF_GROWN, ZERO_IF_ABSENT)      \
  X("copies.host_to_device.bytes", "host to device copy bytes", IN_ROW | IN_RUN, ONE_COUNT, IF_GROWN, ZERO_IF_ABSENT)  \
  X("copies.device_to_host.count", "device to host copies", IN_ROW | IN_RUN, ONE_COUNT, IF_GROWN, ZERO_IF_ABSENT)      \
  X("copies.device_to_host.bytes", "device to host copy bytes", IN_ROW | IN_RUN, ONE_COUNT, IF_GROWN, ZERO_IF_ABSENT)  \
  X("copies.device_to_device.count", "device to device copies", IN_ROW | IN_RUN, ONE_COUNT, IF_GROWN, ZERO_IF_ABSENT)  \
  X("copies.device_to_device.bytes", "device to device copy bytes", IN_ROW | IN_RUN, ONE_COUNT, IF_GROWN, ZERO_IF_ABSENT)\
  X("copies.peer.count", "peer copies", IN_ROW | IN_RUN, ONE_COUNT, IF_GROWN, ZERO_IF_ABSENT)                          \
  X("copies.peer.bytes", "peer copy bytes", IN_ROW | IN_RUN, ONE_COUNT, IF_GROWN, ZERO_IF_ABSENT)                      \
  X("copies.host_to_host.count", "host to host copies", IN_ROW | IN_RUN, ONE_COUNT, IF_GROWN, ZERO_IF_ABSENT)          \
  X("copies.host_to_host.bytes", "host to host copy bytes", IN_ROW | IN_RUN, ONE_COUNT, IF_GROWN, ZERO_IF_ABSENT)      \
  X("copies.memset.count", "fills", IN_ROW | IN_RUN, ONE_COUNT, IF_GROWN, ZERO_IF_ABSENT)                              \
  X("copies.memset.bytes", "fill bytes", IN_ROW | IN_RUN, ONE_COUNT, IF_GROWN, ZERO_IF_ABSENT)                         \
  X("memory.allocated_bytes", "memory allocated bytes", IN_ROW, ONE_COUNT, IF_GROWN, KNOWN_BY_DEVICE)        \
  X("memory.released_bytes", "memory released bytes", IN_ROW, ONE_COUNT, NEVER, KNOWN_BY_DEVICE)             \
  X("memory.net_bytes", "memory net bytes", IN_ROW, ONE_COUNT, NEVER, KNOWN_BY_DEVICE)                       \
  X("memory.allocations", "memory allocations", IN_ROW, ONE_COUNT, IF_GROWN, KNOWN_BY_DEVICE)                \
  X("memory.releases", "memory releases", IN_ROW, ONE_COUNT, NEVER, KNOWN_BY_DEVICE)                         \
  X("memory.peak_bytes", "memory peak bytes", IN_ROW, ONE_COUNT, NEVER, KNOWN_BY_DEVICE)                     \
  X("peak_bytes", "peak bytes", IN_MEMORY, ONE_COUNT, IF_GROWN, KNOWN_BY_DEVICE)                             \
  X("allocated_bytes", "allocated bytes", IN_MEMORY, ONE_COUNT, NEVER, KNOWN_BY_DEVICE)                      \
  X("allocations", "allocations", IN_MEMORY, ONE_COUNT, NEVER, KNOWN_BY_DEVICE)                              \
  X("leaked_bytes", "leaked bytes", IN_MEMORY, ONE_COUNT, IF_GROWN, KNOWN_BY_DEVICE)                         \
  X("leaked_allocations", "leaked allocations", IN_MEMORY, ONE_COUNT, IF_GROWN, KNOWN_BY_DEVICE)             \
  X("exhausted.allocations", "exhausted allocations", IN_MEMORY, ONE_COUNT, IF_GROWN, KNOWN_BY_DEVICE)       \
  X("launches", "uncounted launches", IN_UNCOUNTED, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                       \
  X("calls", "calls", IN_FUNCTION, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                                        \
  X("bytes", "bytes of calls", IN_FUNCTION, ONE_COUNT, IF_GROWN, KNOWN_BY_DEVICE)                            \
  X("flops", "FLOPs", IN_STEP, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                                            \
  X("bytes", "bytes", IN_STEP, ONE_COUNT, IF_GROWN, ALWAYS_KNOWN)                                            \
  X("spikes_positive", "positive spikes", IN_STEP, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                      \
  X("spikes_negative", "negative spikes", IN_STEP, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                      \
  X("silent", "silent", IN_STEP, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                                        \
  X("firing_rate", "firing rate", IN_STEP, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                              \
  X("synaptic_ops", "synaptic operations", IN_STEP, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                     \
  X("synaptic_accumulates", "synaptic accumulates", IN_STEP, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)            \
  X("synaptic_multiply_accumulates", "synaptic MACs", IN_STEP, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)          \
  X("synaptic_possible", "synaptic possible", IN_STEP, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                  \
  X("synaptic_skipped", "synaptic skipped", IN_STEP, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                    \
  X("synaptic_density", "synaptic density", IN_STEP, ONE_COUNT, IF_CHANGED, ALWAYS_KNOWN)                    \
  X("user_counters", "counter *", IN_STEP, NAMED_MEMBERS, IF_CHANGED, ALWAYS_KNOWN)

#endif
