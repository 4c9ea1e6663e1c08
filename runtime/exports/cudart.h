/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The CUDA runtime as a table of functions: the real library's, or a device's own. Made from cudart.inc. */
#ifndef GP_CUDART_H
#define GP_CUDART_H

#include "exports/cudart_types.h"

#include <stdatomic.h>

struct gp_cudart {
#define GP_CUDART(name, parameters, arguments, cpu) int(*name) parameters;
#define GP_CUDART_ALIAS(name, base, parameters, arguments, cpu) int(*name) parameters;
#define GP_CUDART_TEXT(name, parameters, arguments, cpu) const char *(*name)parameters;
#include "exports/cudart.inc"
};

/* Fills the table from an opened libcudart. A name missing in the library falls back to its alias's base.
 * Without one it becomes a function returning cudaErrorNotSupported, with one message. */
void gp_cudart_load(struct gp_cudart *table, void *library);
/* Replaces each null by this function. */
void gp_cudart_complete(struct gp_cudart *table);

/* The functions of the device in use; null until the first CUDA call. */
extern _Atomic(const struct gp_cudart *) gp_cudart_in_use;
const struct gp_cudart *gp_cudart_choose(void);

static inline const struct gp_cudart *gp_cudart(void) {
  const struct gp_cudart *table = atomic_load_explicit(&gp_cudart_in_use, memory_order_acquire);
  return __builtin_expect(table != NULL, 1) ? table : gp_cudart_choose();
}

#endif
