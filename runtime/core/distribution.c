// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/distribution.h"

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

static uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

static void swap(struct weighted *a, struct weighted *b) {
  const struct weighted other = *a;
  *a = *b;
  *b = other;
}

struct parts {
  size_t less, greater;       /* start and end of the values equal to the pivot */
  double weight_less, weight; /* of the smaller values; of the smaller and equal values */
};

static struct parts divide(struct weighted *all, size_t count, uint64_t pivot) {
  struct parts parts = {.greater = count};
  for (size_t i = 0; i < parts.greater;) {
    if (all[i].value > pivot) {
      swap(&all[i], &all[--parts.greater]);
      continue;
    }
    parts.weight += all[i].weight;
    if (all[i].value < pivot) {
      parts.weight_less += all[i].weight;
      swap(&all[i], &all[parts.less++]);
    }
    i++;
  }
  return parts;
}

/* The remaining range of the search: all values before `begin` are less than all from there on. */
struct search {
  struct weighted *begin, *end;
  double weight_before;
};

/* The least value at which it and all smaller ones weigh `wanted`; the greatest if there is none. Sorting
 * would dominate the cost of a document. A search for a larger weight continues from the end of this one. */
static uint64_t select_value(struct search *search, double wanted) {
  size_t count = (size_t)(search->end - search->begin);
  for (;;) {
    struct weighted *all = search->begin;
    const uint64_t pivot = middle_of(all[0].value, all[count / 2].value, all[count - 1].value);
    const struct parts parts = divide(all, count, pivot);
    const double rest = wanted - search->weight_before;
    if (parts.less && parts.weight_less >= rest) {
      count = parts.less;
    } else if (parts.weight >= rest || parts.greater == count) {
      return pivot;
    } else {
      search->weight_before += parts.weight;
      search->begin += parts.greater;
      count -= parts.greater;
    }
  }
}

void gp_distributions_quantiles(const struct gp_distribution *const *list, size_t count, const double *quantiles,
                                uint64_t *values, size_t wanted) {
  size_t samples = 0, used = 0;
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    samples += list[i]->kept;
  struct weighted *all = samples ? malloc(samples * sizeof *all) : NULL;
  for (size_t i = 0; all && i < count; i++) {
    const double weight = list[i]->kept ? (double)list[i]->count / list[i]->kept : 0;
    for (uint32_t j = 0; j < list[i]->kept; j++)
      all[used++] = (struct weighted){list[i]->samples[j], weight};
    sum += weight * list[i]->kept;
  }
  struct search search = {all, all ? all + used : NULL, 0};
  for (size_t i = 0; i < wanted; i++) /* rounding must not step over an exact rank */
    values[i] = all ? select_value(&search, quantiles[i] * sum * (1 - 1e-12)) : 0;
  free(all);
}
