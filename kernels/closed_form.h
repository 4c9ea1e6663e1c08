/* What a launch must cost, by formula. Every kernel of this folder carries a function that returns one of these;
 * gpuprof's counters must equal it, integer for integer. Plain C++, no CUDA.
 *
 * Conventions (docs/user/kernels.md): operations are counted once each here, a fused multiply-add as one fma;
 * `flops()` counts it as two. Bytes are what the instructions ask for. `unique` is 32 for every 32-byte sector of
 * global memory that the launch touches at least once; arrays begin at multiples of 256 bytes, as cudaMalloc's do.
 */
#ifndef GPUPROF_KERNELS_CLOSED_FORM_H
#define GPUPROF_KERNELS_CLOSED_FORM_H

#include <stddef.h>
#include <stdint.h>

struct ClosedForm {
  uint64_t launches, threads;
  uint64_t add, mul, fma, div, sqrt; /* fp32 operations */
  uint64_t tensor_fp16, tensor_bf16; /* operations of matrix products, 2·m·n·k each; in flops() too */
  uint64_t accumulate;               /* additions by float atomics, one FLOP each */
  uint64_t atomic_ops;               /* atomics on integers: no FLOPs */
  uint64_t special;                  /* ex2 and its like: the special-function unit, in no FLOP count */
  uint64_t global_load, global_store, global_atomic;
  uint64_t shared_load, shared_store, shared_atomic;
  uint64_t unique;
  uint64_t spikes_positive, spikes_negative, silent; /* of data: from the reference, not from a formula */
  uint64_t synaptic_accumulates, synaptic_multiply_accumulates, synaptic_possible; /* likewise */

  uint64_t flops() const { return add + mul + 2 * fma + div + sqrt + accumulate + tensor_fp16 + tensor_bf16; }
  void add_spike(double spike) { ++(spike > 0 ? spikes_positive : spike < 0 ? spikes_negative : silent); }
  uint64_t global_bytes() const { return global_load + global_store + global_atomic; }
};

/* The sum of the launches of one kernel. Unique bytes add up too: they are counted launch by launch. */
inline ClosedForm operator+(const ClosedForm &a, const ClosedForm &b) {
  ClosedForm sum = a;
  sum.launches += b.launches;
  sum.threads += b.threads;
  sum.add += b.add;
  sum.mul += b.mul;
  sum.fma += b.fma;
  sum.div += b.div;
  sum.sqrt += b.sqrt;
  sum.tensor_fp16 += b.tensor_fp16;
  sum.tensor_bf16 += b.tensor_bf16;
  sum.accumulate += b.accumulate;
  sum.atomic_ops += b.atomic_ops;
  sum.special += b.special;
  sum.global_load += b.global_load;
  sum.global_store += b.global_store;
  sum.global_atomic += b.global_atomic;
  sum.shared_load += b.shared_load;
  sum.shared_store += b.shared_store;
  sum.shared_atomic += b.shared_atomic;
  sum.unique += b.unique;
  sum.spikes_positive += b.spikes_positive;
  sum.spikes_negative += b.spikes_negative;
  sum.silent += b.silent;
  sum.synaptic_accumulates += b.synaptic_accumulates;
  sum.synaptic_multiply_accumulates += b.synaptic_multiply_accumulates;
  sum.synaptic_possible += b.synaptic_possible;
  return sum;
}

inline uint64_t ceil_div(uint64_t amount, uint64_t unit) { return (amount + unit - 1) / unit; }

/* Bytes of the sectors of the first `used` of each `stride` elements; the rows form one array. */
inline uint64_t row_sector_bytes(uint64_t used, uint64_t stride, uint64_t rows, uint64_t element_bytes) {
  uint64_t sectors = 0, next = 0; // the first sector not yet counted
  for (uint64_t row = 0; used && row < rows; ++row) {
    const uint64_t begin = row * stride * element_bytes;
    const uint64_t first = begin / 32 > next ? begin / 32 : next;
    next = (begin + used * element_bytes - 1) / 32 + 1;
    sectors += next > first ? next - first : 0;
  }
  return 32 * sectors;
}

/* Bytes of the sectors of an array's first `floats` floats. */
inline uint64_t sector_bytes(uint64_t floats) { return ceil_div(floats * sizeof(float), 32) * 32; }

#endif
