/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the machine code of a kernel needs of a multiprocessor. */
#ifndef GP_KERNEL_RESOURCES_H
#define GP_KERNEL_RESOURCES_H

#include <stdint.h>

enum gp_resources_source {
  GP_RESOURCES_UNKNOWN,
  GP_RESOURCES_DRIVER, /* asked of the CUDA runtime */
  GP_RESOURCES_CUBIN   /* read in the program's machine code */
};

struct gp_kernel_resources {
  enum gp_resources_source source;
  unsigned architecture; /* of the machine code: 90 for sm_90 */
  unsigned registers;    /* of a thread */
  unsigned barriers;     /* 0: not known */
  uint64_t static_shared, local; /* bytes of a block, and of a thread */
  int has_spills;                /* the following are known: bytes that the kernel's instructions spill, a thread and execution */
  uint64_t spill_stores, spill_loads;
  int carveout;          /* occupancy.h */
  unsigned cluster;      /* blocks of a cluster, as compiled; 0: none */
};

#endif
