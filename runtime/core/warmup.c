#include "core/warmup.h"

#include "core/regions.h"
#include "core/settings.h"

/* Steps divide a region's execution: a kernel that each step launches is warm after the first ones. */
static const struct gp_context *region_of(const struct gp_context *context) {
  while (context->parent && (!context->site || context->site->is_step))
    context = context->parent;
  return context;
}

static int is_early(const struct gp_context *context) { return !context->site && context->early; }

enum counted { ONLY_EARLY, ALL };

/* Launches of a kernel in a region, on one device. */
static uint64_t launches_of(const struct gp_kernel *kernel, const struct gp_context *context, int device,
                            enum counted counted) {
  const struct gp_context *region = region_of(context);
  uint64_t launches = 0;
  gp_records_lock();
  for (const struct gp_record *record = kernel->records; record; record = record->next)
    if (record->device == device && region_of(record->context) == region && (counted == ALL || is_early(record->context)))
      launches += record->launches;
  gp_records_unlock();
  return launches;
}

struct gp_context *gp_warmup_context(const struct gp_kernel *kernel, struct gp_context *context, int device) {
  const uint64_t warmup = gp_settings()->warmup;
  if (!warmup || !context->all_early) /* else something around repeats, which decides */
    return context;
  return launches_of(kernel, context, device, ONLY_EARLY) < warmup ? gp_context_early_launches(context) : context;
}

struct gp_warmup gp_warmup_of(const struct gp_context *context, struct gp_warmup around) {
  if (around.decided || !context->site || context->site->is_step)
    return around;
  if (context->whole->entered <= gp_settings()->warmup)
    return around;
  return (struct gp_warmup){.decided = 1, .left_out = context->early};
}

int gp_warmup_leaves_out(const struct gp_record *record) {
  return is_early(record->context) &&
         launches_of(record->kernel, record->context, record->device, ALL) > gp_settings()->warmup;
}

uint64_t gp_warmup_executions(const struct gp_context *context) { return context->entered - context->apart; }
