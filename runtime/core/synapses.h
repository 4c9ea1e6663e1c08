/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Synaptic operations, as '#pragma gpuprof synapse' states them. */
#ifndef GP_SYNAPSES_H
#define GP_SYNAPSES_H

#include <stdint.h>

struct gp_synapses {
  uint64_t accumulates, multiply_accumulates;
  uint64_t possible; /* operations if every input fired */
  uint64_t negative; /* directives with a negative number; they added nothing */
  int known;         /* operations are stated or derived */
  int open;          /* … some of them without the number of possible inputs */
};

static inline void gp_synapses_add(struct gp_synapses *to, const struct gp_synapses *from) {
  to->accumulates += from->accumulates;
  to->multiply_accumulates += from->multiply_accumulates;
  to->possible += from->possible;
  to->negative += from->negative;
  to->known |= from->known;
  to->open |= from->open;
}

#endif
