// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/pointers_disjoint.h"

#include "core/launch_pointers.h"

static int may_be_same(const struct gp_memory_range *a, const struct gp_memory_range *b) {
  return (a->shared && a->shared == b->shared) ||
         (a->start < b->start + b->bytes && b->start < a->start + a->bytes);
}

/* A null pointer is neither read nor written. */
static const char *objection_to(uint64_t read, uint64_t written) {
  struct gp_memory_range from, to;
  if (!read || !written)
    return NULL;
  if (gp_device()->allocation(read, &from) || gp_device()->allocation(written, &to))
    return "a pointer among its arguments lies in no allocation that the device knows";
  return may_be_same(&from, &to)
             ? "it may write what its control flow depends on: arguments point into one allocation"
             : NULL;
}

const char *gp_pointers_clone_objection(const struct gp_sheet_clone *clone, const struct gp_launch *launch) {
  const char *objection = NULL;
  for (size_t p = 0; p < clone->apart_count && !objection; p++)
    objection = objection_to(gp_launch_pointer(launch, clone->apart[p].read), gp_launch_pointer(launch, clone->apart[p].written));
  return objection;
}

const char *gp_pointers_objection(const struct gp_kernel *kernel, const struct gp_launch *launch) {
  const char *objection = NULL;
  for (size_t i = 0; i < kernel->instance_count && !objection; i++)
    objection = gp_pointers_clone_objection(&gp_instance_sheet(&kernel->instances[i])->clone, launch);
  return objection;
}
