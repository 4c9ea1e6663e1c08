/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launches the twin of a kernel in its place: the usual one, or the one with fewer registers if the device refuses that. */
#ifndef GP_TWIN_LAUNCH_H
#define GP_TWIN_LAUNCH_H

#include "core/kernels.h"

/* `launch` has the twin's arguments (twin_arguments.h). Null: one was launched. Otherwise the reason; *error then is the device's
 * error, or 0. Thread-safe. */
const char *gp_twin_launch(struct gp_kernel *kernel, const struct gp_launch *launch, int *error);

#endif
