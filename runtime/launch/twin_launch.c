// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/twin_launch.h"

#include "base/device.h"
#include "base/log.h"

#include <stdatomic.h>

static void tell_bounded(struct gp_kernel *kernel) {
  if (atomic_load_explicit(&kernel->bounded_twin_told, memory_order_relaxed) || atomic_exchange(&kernel->bounded_twin_told, 1))
    return;
  gp_remark(kernel->name, "some of its launches ran a copy with fewer registers, which may be slower: its counters leave too few for "
                          "blocks of this size");
}

const char *gp_twin_launch(struct gp_kernel *kernel, const struct gp_launch *launch, int *error) {
  const struct gp_device_ops *device = gp_device();
  *error = 0;
  const char *why = device->launch_instrumented(launch, GPUPROF_IN_KERNEL_SUFFIX, error);
  if (!why || !*error) /* an error: it was refused, since its counters may leave too few registers for a block of this size */
    return why;
  if (device->launch_instrumented(launch, GPUPROF_BOUNDED_SUFFIX, error))
    return why;
  tell_bounded(kernel);
  return NULL;
}
