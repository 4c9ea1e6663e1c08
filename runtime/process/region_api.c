// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpuprof.h"

#include "base/exported.h"
#include "base/log.h"
#include "base/state.h"
#include "core/host_times.h"
#include "core/regions.h"
#include "gpuprof/abi.h"
#include "launch/launch_hook.h"
#include "report/report.h"

GP_EXPORT uint32_t gpuprof_region_begin_as(const char *name, const char *phase, const char *category) {
  return name && name[0] ? gp_region_open(name, phase, category) : 0;
}

GP_EXPORT uint32_t gpuprof_region_begin(const char *name) { return gpuprof_region_begin_as(name, 0, 0); }

GP_EXPORT void gpuprof_region_end(uint32_t token) { __gpuprof_region_exit(token); }

static void add_positive(double *sum, double amount) {
  if (amount > 0 && amount < 1e300)
    *sum += amount;
}

GP_EXPORT void gpuprof_expect(double flops, double bytes, double items) {
  struct gp_context *context = gp_state() == GP_ON ? gp_regions_counted() : 0;
  if (!context)
    return;
  gp_context_lock();
  /* a step's value also belongs to its region */
  for (; context; context = context->site && context->site->is_step ? context->parent : 0) {
    struct gp_context_values *values = gp_context_own_values(context);
    if (!values)
      break;
    add_positive(&values->expected_flops, flops);
    add_positive(&values->expected_bytes, bytes);
    add_positive(&values->expected_items, items);
  }
  gp_context_unlock();
}

GP_EXPORT void gpuprof_count(const char *name, int64_t amount) {
  struct gp_context *context = gp_state() == GP_ON ? gp_regions_counted() : 0;
  if (context && name)
    gp_context_count(context, name, amount);
}

GP_EXPORT void gpuprof_step(int64_t step) { gp_region_step(step); }

/* ---- Directives of host code ---- */

GP_EXPORT int __gpuprof_on(void) { return gp_state() == GP_ON; }
GP_EXPORT void __gpuprof_expect(double flops, double bytes, double items) { gpuprof_expect(flops, bytes, items); }
GP_EXPORT void __gpuprof_count(const char *name, long long amount) { gpuprof_count(name, amount); }
GP_EXPORT void __gpuprof_step(long long step) { gp_region_step(step); }

GP_EXPORT void __gpuprof_spike(int sign) {
  struct gp_context *context = gp_state() == GP_ON ? gp_regions_counted() : 0;
  if (!context)
    return;
  gp_context_lock();
  struct gp_context_values *values = gp_context_own_values(context);
  if (values)
    values->spikes[sign > 0 ? GP_SPIKE_POSITIVE : sign < 0 ? GP_SPIKE_NEGATIVE : GP_SPIKE_NONE]++;
  gp_context_unlock();
}

static void add_synapse(struct gp_synapses *to, int form, uint64_t operations, uint64_t possible) {
  *(form & GPUPROF_SYNAPSE_MULTIPLY ? &to->multiply_accumulates : &to->accumulates) += operations;
  to->possible += possible;
  to->known = 1;
  to->open |= !(form & GPUPROF_SYNAPSE_INPUTS);
}

GP_EXPORT void __gpuprof_synapse(int form, long long events, long long fanout, long long inputs) {
  struct gp_context *context = gp_state() == GP_ON ? gp_regions_counted() : 0;
  if (!context)
    return;
  const int is_negative = events < 0 || fanout < 0 || inputs < 0;
  const uint64_t factor = is_negative ? 0 : (uint64_t)fanout;
  gp_context_lock();
  struct gp_context_values *values = gp_context_own_values(context);
  if (values) {
    add_synapse(&values->synapses, form, (uint64_t)events * factor, (uint64_t)inputs * factor);
    values->synapses.negative += (uint64_t)is_negative;
  }
  gp_context_unlock();
}

/* ---- State ---- */

static int move_state(enum gp_state from, enum gp_state to) {
  int expected = (int)from;
  (void)gp_state(); /* reads the settings, if this is the first call */
  return atomic_compare_exchange_strong(&gp_current_state, &expected, (int)to);
}

GP_EXPORT void gpuprof_disable(void) {
  if (move_state(GP_ON, GP_PAUSED))
    gp_host_clock_stop();
}

GP_EXPORT void gpuprof_enable(void) {
  if (move_state(GP_PAUSED, GP_ON))
    gp_host_clock_go_on();
}

GP_EXPORT int gpuprof_flush(void) {
  const struct gp_report_cause cause = {.occasion = GP_ON_REQUEST};
  if (gp_state() == GP_OFF)
    return -1;
  gp_report_changed(); /* the document will not be the last */
  return gp_report_write(&cause);
}

GP_EXPORT void gpuprof_status(struct gpuprof_status *status) {
  static const enum gpuprof_state states[] = {[GP_OFF] = GPUPROF_OFF, [GP_PAUSED] = GPUPROF_PAUSED, [GP_ON] = GPUPROF_ON};
  if (!status)
    return;
  *status = (struct gpuprof_status){.state = states[gp_state()],
                                    .launches = gp_launches_hooked(),
                                    .version = GPUPROF_VERSION,
                                    .device = gp_device_is_in_use() ? gp_device()->kind : NULL};
  size_t messages = 0;
  while (gp_log_message(messages))
    messages++;
  status->problems = messages + gp_log_lost();
}
