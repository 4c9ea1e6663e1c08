// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/usage_sites.h"

#include <string.h>

/* ---- Sites ---- */

static uint64_t hash_of(const struct gp_usage_site *facts) {
  return gp_hash_mix(gp_hash_pointers(facts->stack, facts->context), (uint64_t)facts->kind * GP_USAGE_PLACES + facts->place);
}

static int is_same(const struct gp_usage_site *a, const struct gp_usage_site *b) {
  return a->stack == b->stack && a->context == b->context && a->kind == b->kind && a->place == b->place;
}

struct gp_usage_site *gp_usage_site_of(struct gp_usage_sites *sites, const struct gp_usage_site *facts) {
  const uint64_t hash = hash_of(facts);
  for (struct gp_link *link = gp_table_first(&sites->by_facts, hash); link; link = gp_table_next(link))
    if (is_same(GP_HOLDER(link, struct gp_usage_site, link), facts))
      return GP_HOLDER(link, struct gp_usage_site, link);
  struct gp_usage_site *site = gp_immortal(sites->memory, sizeof *site);
  if (!site)
    return NULL;
  site->stack = facts->stack;
  site->context = facts->context;
  site->kind = facts->kind;
  site->place = facts->place;
  site->next = sites->first;
  sites->first = site;
  sites->count++;
  gp_table_add(&sites->by_facts, &site->link, hash);
  return site;
}

void gp_usage_site_changes(struct gp_usage_site *site, const struct gp_usage_place *place) {
  if (site->peak == place->peak)
    return;
  site->peak = place->peak;
  site->peak_bytes = site->bytes;
  site->peak_allocations = site->allocations;
}

void gp_usage_site_add(struct gp_usage_site *site, uint64_t bytes) {
  site->bytes += bytes;
  site->allocations++;
  site->allocated_bytes += bytes;
  site->all_allocations++;
  site->largest_bytes = site->largest_bytes > bytes ? site->largest_bytes : bytes;
}

/* ---- Regions ---- */

struct region {
  struct gp_link link;
  const struct gp_context *context;
  struct gp_usage_region usage;
};

static uint64_t hash_of_context(const struct gp_context *context) { return gp_hash_pointers(context, NULL); }

struct gp_usage_region *gp_usage_find_region(struct gp_usage_sites *sites, const struct gp_context *context) {
  for (struct gp_link *link = gp_table_first(&sites->regions, hash_of_context(context)); link; link = gp_table_next(link))
    if (GP_HOLDER(link, struct region, link)->context == context)
      return &GP_HOLDER(link, struct region, link)->usage;
  return NULL;
}

struct gp_usage_region *gp_usage_region_of(struct gp_usage_sites *sites, const struct gp_context *context) {
  struct gp_usage_region *known = gp_usage_find_region(sites, context);
  struct region *region = known ? NULL : gp_immortal(sites->memory, sizeof *region);
  if (!region)
    return known;
  region->context = context;
  gp_table_add(&sites->regions, &region->link, hash_of_context(context));
  return &region->usage;
}

/* ---- The largest allocations ---- */

void gp_usage_add_large(struct gp_usage_totals *totals, const struct gp_usage_large *large) {
  size_t at = totals->large_count;
  if (at == GP_USAGE_LARGEST && totals->largest[at - 1].bytes >= large->bytes)
    return;
  at -= at == GP_USAGE_LARGEST;
  for (; at && totals->largest[at - 1].bytes < large->bytes; at--)
    totals->largest[at] = totals->largest[at - 1];
  totals->largest[at] = *large;
  totals->large_count += totals->large_count < GP_USAGE_LARGEST;
}

void gp_usage_large_released(struct gp_usage_totals *totals, uint64_t bytes, uint64_t serial) {
  if (!totals->large_count || bytes < totals->largest[totals->large_count - 1].bytes)
    return;
  for (size_t i = 0; i < totals->large_count; i++)
    if (totals->largest[i].serial == serial)
      totals->largest[i].is_alive = 0;
}
