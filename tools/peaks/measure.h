/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Measuring one ceiling: the kernel's results are checked first, then its rate, then the rate against the unit's limit. */
#ifndef GP_TOOL_MEASURE_H
#define GP_TOOL_MEASURE_H

#include "peaks/benchmarks.h"
#include "peaks/clocks.h"
#include "peaks/driver.h"

struct peak {
  const struct benchmark *benchmark;
  double per_second;     /* 0: not measured */
  double spread_percent; /* of the slowest run below the best */
  double window_ms;      /* of the best run */
  unsigned runs;
  double clock_hz;          /* of the multiprocessors, by the kernel's own clock; 0: not known */
  struct gpu_clocks clocks; /* while it ran, by NVML */
  double per_clock;         /* of a multiprocessor */
  struct text reason;       /* why it was not measured */
};

struct measurement {
  const struct gpu *gpu;
  void *nvml;
  bool is_quick;
};

/* True where this GPU has the instruction, and does not emulate it. */
bool benchmark_suits(const struct benchmark *benchmark, unsigned capability);
void measure(const struct measurement *measurement, const struct benchmark *benchmark, struct peak *peak);

#endif
