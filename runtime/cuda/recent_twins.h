/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The twins that a thread launched lately: they are found without a lock, and without a call that looks at the program's
 * modules. Twins that were refused to it are not tried again. */
#ifndef GP_RECENT_TWINS_H
#define GP_RECENT_TWINS_H

#include "cuda/siblings.h"

/* Returns 1 if the twin is known for the driver's current context, with the attributes that the launch needs. */
int gp_recent_twin(const struct gp_launch *launch, const char *suffix, struct gp_sibling *twin);
/* It has been found, with the attributes of its kernel. `dynamic_shared`: how much shared memory they let a launch ask for. */
void gp_recent_twin_keep(const struct gp_launch *launch, const struct gp_sibling *twin, int dynamic_shared);

/* Returns 1 if the twin was refused to the thread in the driver's current context, for blocks and shared memory of this size. */
int gp_recent_twin_is_refused(const struct gp_launch *launch, const char *suffix);
/* The driver refused it for want of resources. It is kept in mind if its blocks are too large for it, which stays so. */
void gp_recent_twin_refused(const struct gp_launch *launch, const struct gp_sibling *twin);

/* A device ends: forgets those of all threads. */
void gp_recent_twins_forget(void);

#endif
