/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Decides if a light clone may count a launch: only if the kernel does not write memory read by the clone. */
#ifndef GP_POINTERS_DISJOINT_H
#define GP_POINTERS_DISJOINT_H

#include "base/device.h"
#include "core/kernels.h"

/* Compares the kernel's read pointers with its written pointers, by their allocations. A pointer is assumed
 * to reach its own allocation only, as in C++. Returns null if the launch may be counted or there is no light
 * clone. Otherwise returns the reason as half a sentence. The launch's device is the current one. */
const char *gp_pointers_objection(const struct gp_kernel *kernel, const struct gp_launch *launch);

/* The same for one clone. */
const char *gp_pointers_clone_objection(const struct gp_sheet_clone *clone, const struct gp_launch *launch);

#endif
