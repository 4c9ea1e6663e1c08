/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether the clone of a kernel that reads memory may count a launch: only if the kernel does not write what
 * the clone reads. */
#ifndef GP_POINTERS_DISJOINT_H
#define GP_POINTERS_DISJOINT_H

#include "base/device.h"
#include "core/kernels.h"

/* Compares the pointers that the kernel reads through with those it writes through, by the allocations they
 * lie in: a pointer is taken to reach its own allocation only, as C++ has it. Null for a kernel without such
 * a clone; else null, or half a sentence that says why its clone may not count the launch. The launch's
 * device is the current one. */
const char *gp_pointers_objection(const struct gp_kernel *kernel, const struct gp_launch *launch);

/* The same of one clone. */
const char *gp_pointers_clone_objection(const struct gp_sheet_clone *clone, const struct gp_launch *launch);

#endif
