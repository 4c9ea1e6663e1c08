/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sites of allocations, regions and the largest allocations. The caller holds the lock of usage.c, which owns the memory. */
#ifndef GP_USAGE_SITES_H
#define GP_USAGE_SITES_H

#include "base/immortals.h"
#include "memory/usage.h"

struct gp_usage_sites {
  struct gp_immortals *memory;
  struct gp_table by_facts, regions;
  struct gp_usage_site *first;
  size_t count;
};

/* Facts of a site; the rest is zero. Null when memory is exhausted. */
struct gp_usage_site *gp_usage_site_of(struct gp_usage_sites *sites, const struct gp_usage_site *facts);
/* To be called before the amount at a site changes: keeps the amount that it had at the place's peak. */
void gp_usage_site_changes(struct gp_usage_site *site, const struct gp_usage_place *place);
void gp_usage_site_add(struct gp_usage_site *site, uint64_t bytes);

/* The region of a context, made if there is none; null when memory is exhausted. */
struct gp_usage_region *gp_usage_region_of(struct gp_usage_sites *sites, const struct gp_context *context);
struct gp_usage_region *gp_usage_find_region(struct gp_usage_sites *sites, const struct gp_context *context);

void gp_usage_add_large(struct gp_usage_totals *totals, const struct gp_usage_large *large);
void gp_usage_large_released(struct gp_usage_totals *totals, uint64_t bytes, uint64_t serial);

#endif
