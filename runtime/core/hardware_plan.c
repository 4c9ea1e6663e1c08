// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/hardware_plan.h"

#include "base/settings.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(GP_HARDWARE_COUNT <= GP_HARDWARE_MOST,
               "hardware_counters.inc has more counters than a sum has room for");

/* ---- The requested counters ---- */
static const struct {
  const char *key, *metrics;
} known[] = {
#define GP_HARDWARE(identifier, metrics) {#identifier, metrics},
#include "core/hardware_counters.inc"
};

static int plan_from(struct gp_hardware_plan *plan, enum gp_hardware first) {
  for (unsigned i = first; i < GP_HARDWARE_COUNT; i++) {
    plan->place[i] = (signed char)plan->count;
    plan->counters[plan->count].key = known[i].key;
    plan->counters[plan->count++].metrics = known[i].metrics;
  }
  plan->check = !first;
  return 0;
}

int gp_hardware_plan_of(const char *setting, struct gp_hardware_plan *plan) {
  *plan = (struct gp_hardware_plan){0};
  memset(plan->place, -1, sizeof plan->place);
  if (!setting || !strcmp(setting, "off")) /* null: there was no memory for the default */
    return -1;
  if (!strcmp(setting, "check"))
    return plan_from(plan, (enum gp_hardware)0);
  if (!strcmp(setting, "bytes"))
    return plan_from(plan, GP_HARDWARE_l2);
  char *names = strdup(setting), *rest = NULL;
  for (char *name = names ? strtok_r(names, ",", &rest) : NULL; name; name = strtok_r(NULL, ",", &rest)) {
    if (plan->count == GP_HARDWARE_MOST)
      return -1;
    plan->counters[plan->count].key = plan->counters[plan->count].metrics = name;
    plan->count++;
  }
  return plan->count ? 0 : -1;
}

static struct gp_hardware_plan process_plan;
static int wanted;
static pthread_once_t made = PTHREAD_ONCE_INIT;
static void make(void) { wanted = !gp_hardware_plan_of(gp_settings()->hardware, &process_plan); }

const struct gp_hardware_plan *gp_hardware_plan(void) {
  pthread_once(&made, make);
  return wanted ? &process_plan : NULL;
}

/* ---- Sums ---- */
static void add_warps(struct gp_warp_bytes *to, const struct gp_warp_bytes *from) {
  to->launches += from->launches;
  for (size_t i = 0; i < GPUPROF_WARP_COUNTS; i++) {
    to->requested[i] += from->requested[i];
    to->distinct[i] += from->distinct[i];
  }
}

void gp_hardware_add(struct gp_hardware_sum *to, const struct gp_hardware_sum *from) {
  add_warps(&to->warps, &from->warps);
  if (!from->launches)
    return;
  for (size_t i = 0; i < GP_HARDWARE_MOST; i++)
    to->value[i] = to->value[i] < 0 || from->value[i] < 0 ? GP_UNKNOWN : to->value[i] + from->value[i];
  if (to->launches)
    gp_lane_shares_join(&to->shares, &from->shares);
  else
    to->shares = from->shares;
  to->launches += from->launches;
  to->own_bytes += from->own_bytes;
  to->constants += from->constants;
  to->wordwise += from->wordwise;
}

void gp_hardware_add_to(struct gp_hardware_sum **to, const struct gp_hardware_sum *from) {
  if (!from || (!from->launches && !from->warps.launches))
    return;
  if (*to || (*to = calloc(1, sizeof **to)))
    gp_hardware_add(*to, from);
}
