/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which device the process uses; the choice itself is gp_device() of device.h. */
#ifndef GP_SELECT_H
#define GP_SELECT_H

#include "core/device.h"

/* Tests: makes gp_device() answer `device`; null: choose again. */
void gp_device_override(const struct gp_device_ops *device);

#endif
