/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects of the user: counted references with a function that is called when the last one goes. */
#ifndef GP_CPU_OBJECTS_H
#define GP_CPU_OBJECTS_H

struct gp_object;

/* A reference that a graph holds, and how often. */
struct gp_reference {
  struct gp_reference *next;
  struct gp_object *object;
  unsigned count;
};

struct gp_reference *gp_references_copy(const struct gp_reference *);
void gp_references_drop(struct gp_reference *);

#endif
