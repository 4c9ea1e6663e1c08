// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/warmup.h"

#include "base/locks.h"
#include "base/settings.h"
#include "core/regions.h"

#include <stdlib.h>

/* Steps divide a region's execution: a kernel launched by each step is warm after the first ones. */
static const struct gp_context *region_of(const struct gp_context *context) {
  while (context->parent && (!context->site || context->site->is_step))
    context = context->parent;
  return context;
}

static int is_early(const struct gp_context *context) { return !context->site && context->early; }

static uint64_t hash_of(const struct gp_context *region, int device) {
  return gp_hash_mix((uint64_t)(uintptr_t)region, (uint64_t)device);
}

static struct gp_warmup_tally *find(struct gp_kernel *kernel, const struct gp_context *region, int device) {
  struct gp_link *link = gp_table_first(&kernel->warmups, hash_of(region, device));
  for (; link; link = gp_table_next(link)) {
    struct gp_warmup_tally *tally = GP_HOLDER(link, struct gp_warmup_tally, link);
    if (tally->region == region && tally->device == device)
      return tally;
  }
  return NULL;
}

struct gp_warmup_tally *gp_warmup_tally(struct gp_kernel *kernel, const struct gp_context *context, int device) {
  gp_assert_held(&kernel->lock);
  const struct gp_context *region = region_of(context);
  struct gp_warmup_tally *tally = gp_settings()->warmup ? find(kernel, region, device) : NULL;
  if (tally || !gp_settings()->warmup || !(tally = calloc(1, sizeof *tally)))
    return tally;
  tally->region = region;
  tally->device = device;
  gp_table_add(&kernel->warmups, &tally->link, hash_of(region, device));
  return tally;
}

void gp_warmup_launched(const struct gp_record *record) {
  gp_assert_holds(GP_LOCK_RECORDS);
  if (!record->warmup)
    return;
  record->warmup->launches++;
  record->warmup->early += is_early(record->context);
}

static int is_warm(struct gp_kernel *kernel, const struct gp_context *context, int device) {
  const struct gp_warmup_tally *tally = find(kernel, region_of(context), device);
  gp_records_lock();
  const int warm = tally && tally->early >= gp_settings()->warmup;
  gp_records_unlock();
  return warm;
}

struct gp_context *gp_warmup_context(struct gp_kernel *kernel, struct gp_context *context, int device) {
  gp_assert_held(&kernel->lock);
  if (!gp_settings()->warmup || !context->all_early) /* otherwise a repeating region around it decides */
    return context;
  return is_warm(kernel, context, device) ? context : gp_context_early_launches(context);
}

struct gp_warmup gp_warmup_of(const struct gp_context *context, struct gp_warmup around) {
  if (around.decided || !context->site || context->site->is_step)
    return around;
  if (context->whole->entered <= gp_settings()->warmup)
    return around;
  return (struct gp_warmup){.decided = 1, .left_out = context->early};
}

int gp_warmup_leaves_out(const struct gp_record *record) {
  if (!record->warmup || !is_early(record->context))
    return 0;
  gp_records_lock();
  const int repeats = record->warmup->launches > gp_settings()->warmup;
  gp_records_unlock();
  return repeats;
}

uint64_t gp_warmup_executions(const struct gp_context *context) { return context->entered - context->apart; }
