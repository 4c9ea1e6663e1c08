/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What calls of the driver do to memory of a device, by their names: CUPTI tells of each call that may write, by whomever.
 * A function without an entry in the table may write anywhere.
 */
#ifndef GP_DRIVER_WRITES_H
#define GP_DRIVER_WRITES_H

enum gp_driver_effect {
  GP_DRIVER_NOTHING,
  GP_DRIVER_WRITES,         /* what its first parameter points to */
  GP_DRIVER_WRITES_ANYWHERE,
  GP_DRIVER_FREES,          /* the allocation of its first parameter */
  GP_DRIVER_FREES_ALL,      /* of a context */
  GP_DRIVER_HIDES           /* later writes: others get the memory, or earlier work waits for the host */
};

/* Of a function, by its name with or without a suffix (_v2, _ptsz). */
enum gp_driver_effect gp_driver_effect_of(const char *function);

/* A call with this effect begins or ends: tells core/memory_writes.h. `parameters` are the driver's, in their order. */
void gp_driver_wrote(enum gp_driver_effect effect, const void *parameters);

#endif
