// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/sampling.h"

#include "base/lock_order.h"
#include "base/settings.h"
#include "clones/addresses.h"
#include "core/counters.h"
#include "core/hardware_plan.h"

/* Counting costs such a kernel something at each launch, and can be left out of one. */
static int can_be_sampled(const struct gp_kernel *kernel) {
  for (size_t i = 0; i < kernel->instance_count; i++) {
    const struct gp_sheet_kernel *sheet = gp_instance_sheet(&kernel->instances[i]);
    if (!sheet->has_twin && sheet->clone.kind != GP_CLONE_LIGHT)
      return 0;
  }
  return kernel->instance_count > 0;
}

/* Kernels that find more than counts run in each launch: a plain one would leave a gap in what they find. */
static int needs_each_launch(void) { return gp_addresses_untimed() || (gp_hardware_plan() && gp_hardware_plan()->check); }

enum gp_sampling gp_sampling_of(struct gp_kernel *kernel, struct gp_context *context, int device) {
  gp_assert_held(&kernel->lock);
  const uint64_t each = gp_settings()->sample;
  if (gp_settings()->times_only)
    return GP_SAMPLING_PLAIN;
  if (each < 2 || needs_each_launch() || !can_be_sampled(kernel))
    return GP_SAMPLING_NONE;
  struct gp_record *record = gp_kernel_record_locked(kernel, context, device);
  if (!record || gp_counters_have_steps(record)) /* counts of steps are apart, and cannot be scaled with the others */
    return GP_SAMPLING_NONE;
  return record->sampled++ % each ? GP_SAMPLING_PLAIN : GP_SAMPLING_COUNTED;
}
