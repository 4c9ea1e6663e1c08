#include "distribution.h"

#include <stdlib.h>

static uint64_t next_random(struct gp_distribution *d) { /* splitmix64 */
  uint64_t z = d->random += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static int make_room(struct gp_distribution *d) {
  if (d->kept < d->capacity)
    return 1;
  uint32_t capacity = d->capacity ? 2 * d->capacity : 2;
  uint64_t *grown = realloc(d->samples, capacity * sizeof *grown);
  if (!grown)
    return 0;
  d->samples = grown;
  d->capacity = capacity;
  return 1;
}

void gp_distribution_add(struct gp_distribution *d, uint64_t value) {
  if (!d->count || value < d->minimum)
    d->minimum = value;
  if (value > d->maximum)
    d->maximum = value;
  d->count++;
  d->total += value;
  if (d->kept < GP_SAMPLES) {
    if (make_room(d))
      d->samples[d->kept++] = value;
    return;
  }
  uint64_t place = next_random(d) % d->count;
  if (place < d->kept)
    d->samples[place] = value;
}

void gp_distribution_free(struct gp_distribution *d) {
  free(d->samples);
  *d = (struct gp_distribution){0};
}

struct weighted {
  uint64_t value;
  double weight;
};

static int by_value(const void *a, const void *b) {
  uint64_t x = ((const struct weighted *)a)->value, y = ((const struct weighted *)b)->value;
  return (x > y) - (x < y);
}

uint64_t gp_distributions_quantile(const struct gp_distribution *const *list, size_t count, double quantile) {
  size_t samples = 0, used = 0;
  for (size_t i = 0; i < count; i++)
    samples += list[i]->kept;
  struct weighted *all = samples ? malloc(samples * sizeof *all) : NULL;
  if (!all)
    return 0;
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < list[i]->kept; j++) {
      all[used++] = (struct weighted){list[i]->samples[j], (double)list[i]->count / list[i]->kept};
      sum += all[used - 1].weight;
    }
  qsort(all, samples, sizeof *all, by_value);
  double below = 0, wanted = quantile * sum * (1 - 1e-12); /* rounding must not step over an exact rank */
  size_t place = 0;
  while (place + 1 < samples && (below += all[place].weight) < wanted)
    place++;
  uint64_t value = all[place].value;
  free(all);
  return value;
}
