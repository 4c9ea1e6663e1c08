/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The contract between compiled code and the runtime: everything emitted by the plugin and read by the
 * runtime. Included by C (runtime) and C++ (plugin); nothing here needs LLVM, CUDA or libc beyond
 * <stdint.h>. Raise GPUPROF_ABI_VERSION with every change misread by an old object file or an old runtime.
 */
#ifndef GPUPROF_ABI_H
#define GPUPROF_ABI_H

#include <stdint.h>

#define GPUPROF_ABI_VERSION 9u

/* Counters of a kernel: uint64_t[GPUPROF_COUNTER_SLOTS][groups], zeroed by the runtime. A thread adds
 * its counts to one slot, so atomics do not serialise. On a GPU it is a slot of its multiprocessor (SM
 * id modulo slots), taken in turn by its blocks; on the CPU device it is its worker's. */
#define GPUPROF_COUNTER_SLOTS 512u
#define GPUPROF_SLOTS_OF_SM 4u

/* Steps. Behind the slots of a kernel with steps lies a gpuprof_step_control, and behind it
 * uint64_t[levels][groups], the counts of the other steps. A level is a `steps` record of the sheet. The
 * slots have a step's counts, too: totals need none of this. A device has one store of lines for all its
 * kernels, GPUPROF_STEP_LINE counters each. A line is claimed by writing its key, found by open
 * addressing from ((key * 0x9e3779b97f4a7c15) >> 32) & mask: id of the level << GPUPROF_STEP_ID_SHIFT |
 * spread << GPUPROF_STEP_SPREAD_SHIFT   (0 … 3: less contention) | group / GPUPROF_STEP_LINE <<
 * GPUPROF_STEP_LINE_SHIFT | (step + 2^(GPUPROF_STEP_BITS - 1)) Steps whose number does not fit, and those for
 * which the store has no room, are the other steps. */
#define GPUPROF_STEP_LINE 16u
#define GPUPROF_STEP_BITS 36u
#define GPUPROF_STEP_LINE_SHIFT 36u
#define GPUPROF_STEP_SPREAD_SHIFT 44u
#define GPUPROF_STEP_ID_SHIFT 46u
#define GPUPROF_STEP_IDS (1u << 18)

/* Separate compilation (-fgpu-rdc). A device function callable by other units has a counted instance of its name and this
 * suffix. Its last parameter is the address of its counters for the path of calls, laid out as a kernel's, or 0. Behind
 * the counters and steps of a kernel or of such a function lies uint64_t[]: for each `call` record of its sheet the
 * address passed by the call. A calling unit has a weak instance for a unit without one: it calls the function and counts
 * nothing. */
#define GPUPROF_COUNTED_SUFFIX "$gpuprof"

/* ---- Names -------------------------------------------------------------------------------------------------- */
/* Marker functions, called only between the front end and the IR passes; none may survive in an object file. */
#define GPUPROF_MARK_ENTER "__gpuprof_enter" /* int (const char *description) */
#define GPUPROF_MARK_EXIT "__gpuprof_exit"   /* void (int *scope) */
/* Directives. On the device they are markers in a scope entered with kind=directive: its content is not
 * the kernel's own work. On the host they are functions of the runtime, called only if __gpuprof_on(). */
#define GPUPROF_MARK_EXPECT "__gpuprof_expect" /* void (double flops, double bytes, double items): host only */
#define GPUPROF_MARK_DEVICE_EXPECT "__gpuprof_device_expect" /* … in a device compile; an error if a kernel reaches it */
#define GPUPROF_MARK_COUNT "__gpuprof_count"   /* void (const char *name, long long amount) */
#define GPUPROF_MARK_SPIKE "__gpuprof_spike"   /* void (int sign) */
#define GPUPROF_MARK_STEP "__gpuprof_step"     /* void (long long step) */
#define GPUPROF_MARK_SYNAPSE "__gpuprof_synapse" /* void (int form, long long events, long long fanout, long long inputs) */
/* The form of a synapse directive: a sum of these, constant in a marker. */
#define GPUPROF_SYNAPSE_MULTIPLY 1 /* operations multiply and add, rather than add alone */
#define GPUPROF_SYNAPSE_INPUTS 2   /* possible inputs are given; else they are 0 */
/* A region's description is one string: fields `key=value` separated by tabs, in this order, absent if empty:
 *   name, kind (host|kernel|device|ignore), file, line, phase, category, color (six hex digits), synapse (1)
 * kind=ignore is `#pragma gpuprof ignore`: work inside is not counted, launches are listed; it has no name. */

/* The descriptor of a translation unit's device code: a `static __device__` variable
 * declared by the front end (so clang registers it) and initialised by the device half. */
#define GPUPROF_UNIT_VARIABLE "__gpuprof_unit"

/* ---- Device memory ------------------------------------------------------------------------------------------- */

/* Unique bytes (plugin option unique). Two kernels beside a kernel may mark its touched sectors of 32 bytes. An address
 * clone computes and marks addresses only. A marking kernel does the kernel's work too and runs in its place. Both take
 * the kernel's arguments and the 64-bit address of one of these tables, zeroed but for its first three fields. Each block
 * of 64 KiB has a slot with a key and a bit for each sector. The key is address / 64 KiB + 1, found by open addressing
 * from ((address / 64 KiB * 0x9e3779b97f4a7c15) >> 32) & mask. */
#define GPUPROF_ADDRESSES_SUFFIX "$gpuprof_addresses"
#define GPUPROF_UNIQUE_SUFFIX "$gpuprof_unique"
#define GPUPROF_UNIQUE_BLOCK_BYTES 65536u
#define GPUPROF_UNIQUE_WORDS 64u /* of 32 bits, a block */
#define GPUPROF_UNIQUE_STRIDE 16u

/* Bytes requested by the lanes of each warp together (plugin option check). An instrumented kernel of this name does the
 * kernel's work. For each access it counts the bytes requested by the active lanes, and the distinct bytes among them. It
 * takes the kernel's arguments and the 64-bit address of one of these tables, zeroed. A table has several lines, so that
 * atomics do not serialise. */
#define GPUPROF_WARPS_SUFFIX "$gpuprof_warps"
#define GPUPROF_WARP_LINES 64u
#define GPUPROF_WARP_CLASSES                                                                                     \
  GPUPROF_WARP_CLASS(global_load)                                                                                \
  GPUPROF_WARP_CLASS(global_store)                                                                               \
  GPUPROF_WARP_CLASS(global_atomic)                                                                              \
  GPUPROF_WARP_CLASS(shared_load)                                                                                \
  GPUPROF_WARP_CLASS(shared_store)                                                                               \
  GPUPROF_WARP_CLASS(shared_atomic)
#define GPUPROF_WARP_CLASS_COUNT 6u
/* Behind them, parts of the loads: bytes that the code generator or ptxas may load otherwise (the classes expand_…). */
#define GPUPROF_WARP_PARTS                                                                                       \
  GPUPROF_WARP_PART(global_load_less)                                                                            \
  GPUPROF_WARP_PART(global_load_wider)                                                                           \
  GPUPROF_WARP_PART(global_load_filled)                                                                          \
  GPUPROF_WARP_PART(shared_load_less)                                                                            \
  GPUPROF_WARP_PART(shared_load_wider)                                                                           \
  GPUPROF_WARP_PART(shared_load_filled)
#define GPUPROF_WARP_COUNTS 12u /* classes and parts */
#define GPUPROF_WARP_LINE_CLASSES 16u

/* Counting clones (plugin option count). The kernel stays as compiled by clang. A clone of this name only counts the
 * executions of the kernel's blocks. It takes the kernel's arguments and the 64-bit address of its counts: a header and
 * counters as above, but on a GPU of fewer slots, as each launch that differs keeps its own until they are read. In the header
 * it stores gpuprof_device_unit.counters of its own unit. */
#define GPUPROF_CLONE_SUFFIX "$gpuprof_count"
#define GPUPROF_CLONE_HEADER_BYTES 128u
#define GPUPROF_CLONE_SLOTS 64u
/* A clone reading memory counts only launches whose kernel does not write there (the sheet's `apart`). Other launches run
 * an instrumented kernel of this name in the kernel's place. It has the same parameters, and counters. So do counted
 * launches of kernels without a clone (the sheet's `twin`). If the sheet says so (`counters`), a further parameter is the
 * 64-bit address of the launch's counters; 0: those in gpuprof_device_unit.counters. */
#define GPUPROF_IN_KERNEL_SUFFIX "$gpuprof_in_kernel"
/* It may need more registers than a large block leaves. Its own twin of this name fits every block. */
#define GPUPROF_BOUNDED_SUFFIX GPUPROF_IN_KERNEL_SUFFIX "$bounded"

/* ---- Structures --------------------------------------------------------------------------------------------- */
/* Of a kernel on the CPU device: calls record all its accesses of global
 * memory (cpu_entries.inc), and none is in the map of sectors below. */
#define GPUPROF_CPU_KERNEL_TELLS_ALL 1u
/* Its block entry runs gpuprof_cpu_thread.merged_blocks blocks. */
#define GPUPROF_CPU_KERNEL_MERGES 2u
/* Its block entry runs one block, but records some accesses for gpuprof_cpu_thread.merged_blocks; 0: none, as an earlier
 * block has. */
#define GPUPROF_CPU_KERNEL_RECORDS_RUNS 4u
#define GPUPROF_CPU_VARIABLE_CONSTANT 1u
#define GPUPROF_CPU_VARIABLE_MANAGED 2u

struct gpuprof_cpu_thread;
typedef void gpuprof_cpu_function(struct gpuprof_cpu_thread *, void **arguments);

#define GPUPROF_STRUCTURE(structure) struct gpuprof_##structure {
#define GPUPROF_FIELD(structure, c_type, ir_type, name) c_type name;
#define GPUPROF_ARRAY(structure, c_type, ir_type, count, name) c_type name[count];
#define GPUPROF_STRUCTURE_END(structure) };
#include "gpuprof/abi_structures.inc"

struct gpuprof_warp_table {
  struct gpuprof_warp_bytes bytes[GPUPROF_WARP_LINES][GPUPROF_WARP_LINE_CLASSES]; /* [line][class] */
};

/* Symbols of the host module, defined by cpu-device/compiler and put into the unit by plugin/instrument/HostHalf. */
#define GPUPROF_CPU_KERNEL_TABLE "__gpuprof_cpu_kernels"     /* internal constant array of gpuprof_cpu_kernel */
#define GPUPROF_CPU_VARIABLE_TABLE "__gpuprof_cpu_variables" /* internal constant array of gpuprof_cpu_variable */

/* ---- Entry points of the runtime ------------------------------------------------------------------------------ */
#pragma GCC visibility push(default) /* also inside the runtime: a program may hold its own copy of a variable */
#ifdef __cplusplus
extern "C" {
#endif
void __gpuprof_register_unit(struct gpuprof_host_unit *unit);
void __gpuprof_unregister_unit(struct gpuprof_host_unit *unit);
/* Opens a region on the calling thread; the token closes it, and everything opened after it (longjmp). */
uint32_t __gpuprof_region_enter(struct gpuprof_region_site *site);
void __gpuprof_region_exit(uint32_t token);

/* Directives in host code. */
int __gpuprof_on(void);
void __gpuprof_expect(double flops, double bytes, double items);
void __gpuprof_count(const char *name, long long amount);
void __gpuprof_spike(int sign);
void __gpuprof_step(long long step);
void __gpuprof_synapse(int form, long long events, long long fanout, long long inputs);

/* Unique bytes on the CPU device. All device memory lies in one arena. Before a global access of n bytes at p,
 * compiled code does: offset = p - base; if (offset < size) { sectors[offset/32] = 1; sectors[(offset+n-1)/32] = 1; }
 * else __gpuprof_cpu_record_access(p, n). (n is at most 32; the call records longer accesses.)
 * `sectors` is a byte a sector: workers need no atomics. */
extern struct gpuprof_cpu_sectors __gpuprof_cpu_sectors;
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
