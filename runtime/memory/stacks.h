/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stacks of callers: each different one is kept once, for ever, as places in modules. Addresses are resolved when a stack is met
 * first, since its module may be closed later. */
#ifndef GP_STACKS_H
#define GP_STACKS_H

#include "base/table.h"

#include <stddef.h>
#include <stdint.h>

#define GP_STACK_FRAMES 24u /* the innermost ones of a deeper stack */

struct gp_stack_module {
  struct gp_stack_module *next;
  unsigned number; /* from 0, in order of first use */
  char build_id[41]; /* in hexadecimal digits; "": none */
  char path[];
};

struct gp_stack_frame {
  const struct gp_stack_module *module; /* null: code outside of any file */
  uint64_t offset;                      /* of the call, in the addresses of the file */
  const char *symbol;                   /* mangled; null: unknown */
};

struct gp_stack {
  struct gp_link link; /* by its frames */
  unsigned count;
  struct gp_stack_frame frames[];
};

/* Makes the first stack cheap: to be called once, outside of any lock. */
void gp_stacks_prepare(void);
/* Around a fork. A thread of the parent may hold a lock of the loader, which the child would await for ever: a child of a process
 * with threads has no stacks. */
void gp_stacks_before_fork(void);
void gp_stacks_in_child(void);
/* The stack of the caller, without frames of libgpuprof at its beginning. Null when memory is exhausted, and in such a child. `caller` is
 * the return address of the exported function. The caller holds no lock. */
const struct gp_stack *gp_stack_here(const void *caller);

#endif
