/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Durations in bounded memory: exact count, total, least and largest; quantiles from up to GP_SAMPLES of them. Up to
 * that number every value is kept and quantiles are exact; beyond, a uniform random sample is kept (reservoir).
 * The generator is seeded with a constant, so equal runs give equal reports.
 */
#ifndef GP_DISTRIBUTION_H
#define GP_DISTRIBUTION_H

#include <stddef.h>
#include <stdint.h>

#define GP_SAMPLES 4096u

struct gp_distribution {
  uint64_t count, total, minimum, maximum;
  uint64_t *samples; /* min(count, GP_SAMPLES) values, fewer if memory was exhausted */
  uint32_t kept, capacity;
  uint64_t random;
};

void gp_distribution_add(struct gp_distribution *d, uint64_t value);
void gp_distribution_free(struct gp_distribution *d);

/* For each quantile, which rise, the least value v such that at least that part of the values of all distributions are <= v;
 * each kept sample stands for count/kept values. 0 if there is no sample. */
void gp_distributions_quantiles(const struct gp_distribution *const *list, size_t count, const double *quantiles,
                                uint64_t *values, size_t wanted);

#endif
