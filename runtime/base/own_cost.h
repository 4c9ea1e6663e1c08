/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What gpuprof itself costs: time in launches and regions, memory, processor time of its threads. Counting is
 * cheap: sums are kept in stripes, which threads hardly share, and single costs are sampled. Thread-safe.
 */
#ifndef GP_OWN_COST_H
#define GP_OWN_COST_H

#include <stdint.h>

/* The latest costs kept of each kind. */
#define GP_OWN_SAMPLES 512u

enum gp_own_cost { GP_OWN_LAUNCH, GP_OWN_REGION, GP_OWN_COSTS };

/* True if the calling thread's next launch is a sample: the first 16 of a stripe are, then each 16th. */
int gp_own_cost_samples_launch(void);
/* That launch spent so many ticks (base/ticks.h) in the hook, and of them `call_ns` in the program's calls. */
void gp_own_cost_launched(uint64_t ticks, uint64_t call_ns);
/* One sample, in ticks. */
void gp_own_cost_sample(enum gp_own_cost which, uint64_t cost);

struct gp_own_sum {
  uint64_t launches, ticks, calls_ns;
};
struct gp_own_sum gp_own_cost_launches(void);

struct gp_own_quantiles {
  uint32_t samples; /* 0: the others are 0 */
  uint64_t median, p95, maximum;
};
struct gp_own_quantiles gp_own_cost_quantiles(enum gp_own_cost which);

/* Memory of gpuprof's own: `bytes` more, or less. */
enum gp_own_memory { GP_OWN_HOST, GP_OWN_DEVICE, GP_OWN_MEMORIES };
void gp_own_memory_add(enum gp_own_memory where, int64_t bytes);
uint64_t gp_own_memory(enum gp_own_memory where);

/* On a thread of gpuprof's own: at its begin, and from time to time. */
void gp_own_thread_works(void);
/* Processor time of these threads, as of the last such call of each. */
uint64_t gp_own_threads_ns(void);

/* In a forked child: times begin at 0. */
void gp_own_cost_begin_anew(void);

#endif
