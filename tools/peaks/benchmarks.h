/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What `gpuprof peaks` measures: one row a kernel. A row says which PTX the kernel has, how much work a thread does in one
 * iteration, and which word each thread must have left behind. */
#ifndef GP_TOOL_BENCHMARKS_H
#define GP_TOOL_BENCHMARKS_H

#include "common/text.h"

enum benchmark_group {
  GROUP_CORE,
  GROUP_TENSOR,
  GROUP_SPECIAL,
  GROUP_INTEGER,
  GROUP_DRAM,
  GROUP_L2,
  GROUP_L1,
  GROUP_SHARED
};

/* What the operands of a run are: `BENCHMARK_COUNTING` operands let the results count the steps, `BENCHMARK_LASTING` ones keep
 * the results in range for any number of steps. */
enum benchmark_operands { BENCHMARK_COUNTING, BENCHMARK_LASTING };

#define BENCHMARK_INPUT_BYTES 8192u
#define BENCHMARK_WARP 32u

struct benchmark;

/* How a family of kernels is written and checked. */
struct benchmark_family {
  void (*write)(struct text *ptx, const struct benchmark *benchmark);
  /* Fills the input of the kernel, BENCHMARK_INPUT_BYTES. */
  void (*fill)(const struct benchmark *benchmark, enum benchmark_operands operands, void *input);
  /* The word of a thread after so many iterations. False: it cannot be told for these operands. */
  bool (*expect)(const struct benchmark *benchmark, enum benchmark_operands operands, unsigned thread,
                 uint64_t iterations, uint32_t *word);
};

struct benchmark {
  const char *id;          /* "bf16-wgmma": what --only and the documents call it */
  const char *title;       /* of the table */
  const char *ceiling;     /* the precision, operation or kind of access whose ceiling it is */
  const char *instruction; /* of PTX */
  enum benchmark_group group;
  unsigned ptx, target; /* least version of PTX and least architecture, times ten */
  unsigned last;        /* the last architecture on which it is not emulated; 0: any */
  bool exact_target;    /* only this architecture has the instruction: sm_90a */
  const struct benchmark_family *family;
  const void *shape; /* of its family */
  unsigned threads, blocks_per_sm;
  double work; /* of a thread in one iteration: FLOPs, operations or bytes */
};

/* Row number `index`; null after the last. */
const struct benchmark *benchmark_at(size_t index);
/* Its whole PTX text for an architecture ("sm_90"); the kernel is named "peak". */
void benchmark_ptx(const struct benchmark *benchmark, struct text *ptx);
/* "core", "tensor", … */
extern const char *const benchmark_group_names[];
bool benchmark_moves_bytes(const struct benchmark *benchmark);
bool benchmark_is_mma_sync(const struct benchmark *benchmark);

#endif
