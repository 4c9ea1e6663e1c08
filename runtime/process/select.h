/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The choice of the process's device, made once by gp_choose_device() (base/device.h). */
#ifndef GP_SELECT_H
#define GP_SELECT_H

#include "base/device.h"

const struct gp_device_ops *gp_select_device(void);

#endif
