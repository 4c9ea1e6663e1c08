/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* User objects: counted references and a function to be called at the end of the last one. */
#ifndef GP_CPU_OBJECTS_H
#define GP_CPU_OBJECTS_H

struct gp_object;

/* A reference held by a graph, and its count. */
struct gp_reference {
  struct gp_reference *next;
  struct gp_object *object;
  unsigned count;
};

struct gp_reference *gp_references_copy(const struct gp_reference *);
void gp_references_drop(struct gp_reference *);

#endif
