/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Durations in bounded memory: exact count, total, minimum and maximum; quantiles from up to GP_SAMPLES of
 * them. Up to this number every value is kept and quantiles are exact. Beyond it a uniform random sample is
 * kept (reservoir). The generator has a constant seed: equal runs give equal reports.
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

/* For each of the rising quantiles, the least value v with at least this part of the values of all
 * distributions <= v. Each kept sample stands for count/kept values. 0 without a sample. */
void gp_distributions_quantiles(const struct gp_distribution *const *list, size_t count, const double *quantiles,
                                uint64_t *values, size_t wanted);

#endif
