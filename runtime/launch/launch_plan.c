// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/launch_plan.h"

#include "base/lock_order.h"
#include "base/settings.h"
#include "base/state.h"
#include "clones/addresses.h"
#include "clones/clones.h"
#include "clones/pointers_disjoint.h"
#include "clones/warp_bytes.h"
#include "core/hardware_plan.h"
#include "core/warmup.h"
#include "launch/sampling.h"

static const char *objection_to(struct gp_kernel *kernel, const struct gp_launch *launch) {
  const char *objection = gp_pointers_objection(kernel, launch);
  return objection ? objection : gp_clones_objection(kernel, launch);
}

/* With counters in it, a kernel whose device runs it within the call waits for the one before anyway. */
static int launches_together(const struct gp_kernel *kernel) {
  return gp_kernel_counts_are_free(kernel) || (!gp_kernel_has_light_clone(kernel) && !gp_device()->tells_in_call);
}

/* Nothing depends on what was launched before, and nothing but numbers is kept of the launch. Where a light clone runs behind
 * it, gp_clones_launched() does not let it repeat. */
static int repeats(const struct gp_launch_plan *plan, const struct gp_kernel *kernel) {
  const struct gp_settings *settings = gp_settings();
  return plan->awaits && plan->clone_counts && !plan->marks_in_place && !plan->compares_lanes_in_place && !plan->measures &&
         !settings->warmup && !settings->times_only && !settings->times_file && !gp_device()->tells_in_call &&
         (plan->gives_counters || gp_kernel_is_cloned(kernel));
}

struct gp_launch_plan gp_launch_plan(struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_here *here) {
  gp_assert_held(&kernel->lock);
  struct gp_launch_plan plan = {.launches = !(gp_settings()->counts_only && gp_device()->may_skip_kernels)};
  if (gp_state() != GP_ON || here->ignored || !here->context)
    return plan;
  plan.context = gp_warmup_context(kernel, here->context, launch->device);
  plan.measures = gp_hardware_plan() && gp_device()->measure;
  gp_kernel_find_instances(kernel, launch->device);
  if (!plan.launches) {
    plan.clone_counts = gp_kernel_counts_are_free(kernel);
    return plan;
  }
  plan.awaits = gp_settings()->times_only || !gp_addresses_untimed(); /* untimed launches: nobody awaits the device's facts */
  const enum gp_sampling sampling = gp_sampling_of(kernel, plan.context, launch->device);
  if (sampling == GP_SAMPLING_PLAIN) {
    plan.is_plain = plan.frees_lock = 1;
    return plan;
  }
  plan.objection = objection_to(kernel, launch);
  plan.marks_in_place = gp_addresses_in_place(kernel, launch);
  plan.compares_lanes_in_place = gp_warp_bytes_in_place(kernel);
  plan.runs_twin = gp_kernel_has_twin(kernel);
  plan.gives_counters = (plan.runs_twin || plan.objection) && !plan.marks_in_place && !plan.compares_lanes_in_place &&
                        gp_kernel_takes_counters(kernel);
  plan.clone_counts = !plan.objection;
  plan.frees_lock = launches_together(kernel) && !plan.objection && !plan.marks_in_place && !plan.compares_lanes_in_place;
  plan.drops_time = sampling == GP_SAMPLING_COUNTED && (plan.runs_twin || plan.objection);
  plan.repeats = sampling == GP_SAMPLING_NONE && repeats(&plan, kernel);
  return plan;
}
