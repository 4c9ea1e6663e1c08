/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The twins that a thread launched lately: they are found without a lock, and without a call that looks at the program's
 * modules. */
#ifndef GP_RECENT_TWINS_H
#define GP_RECENT_TWINS_H

#include "cuda/siblings.h"

/* Returns 1 if the twin is known for the driver's current context, with the attributes that the launch needs. */
int gp_recent_twin(const struct gp_launch *launch, const char *suffix, struct gp_sibling *twin);
/* It has been found, with the attributes of its kernel. `dynamic_shared`: how much shared memory they let a launch ask for. */
void gp_recent_twin_keep(const struct gp_launch *launch, const struct gp_sibling *twin, int dynamic_shared);
/* A device ends: forgets those of all threads. */
void gp_recent_twins_forget(void);

#endif
