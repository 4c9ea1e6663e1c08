/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA as called by programs on a device (gp_device_ops.cuda). libgpuprof exports CUDA's names and passes
 * calls on by this table: the exported names know no device.
 */
#ifndef GP_CUDA_FUNCTIONS_H
#define GP_CUDA_FUNCTIONS_H

#include "exports/cudart.h"

/* Called after the CUDA functions of the same names have succeeded. */
struct gp_graph_functions {
  void (*instantiated)(void *executable, void *graph); /* also cudaGraphExecUpdate */
  void (*kernel_changed)(void *executable, void *node, const struct gp_cuda_kernel_node *parameters);
  void (*destroyed)(void *executable);
  /* A conditional node was added (cudaGraphAddNode): the graphs run by it. */
  void (*conditional)(void *node, void *const *bodies, unsigned count);
  /* Launches the executable graph by launch(closure), and counts it after success. */
  int (*launch)(void *executable, void *stream, int (*launch)(void *closure), void *closure);
};

struct gp_cuda_functions {
  const char *name; /* in messages: "the CPU device" */
  /* The functions of the CUDA runtime; none is null (gp_cudart_complete). */
  const struct gp_cudart *(*runtime)(void);
  /* The function of the driver, by its exported name; null: there is none. */
  void *(*driver)(const char *name);
  /* Called before a launch by a function of the driver; null: nothing to do. */
  void (*before_driver_launch)(void);
  int splits_arguments; /* the driver's launches split arguments in one block of memory */
  const struct gp_graph_functions *graphs; /* null: each kernel of a graph passes the hook of launches */
  void (*reset)(int device); /* before cudaDeviceReset(); null: nothing */
};

/* The functions of the device in use. */
const struct gp_cuda_functions *gp_cuda_functions(void);

#endif
