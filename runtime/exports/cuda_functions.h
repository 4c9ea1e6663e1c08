/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CUDA as programs call it on a device (gp_device_ops.cuda). libgpuprof exports CUDA's names and passes calls on by this
 * table, so that the exported names know no device.
 */
#ifndef GP_CUDA_FUNCTIONS_H
#define GP_CUDA_FUNCTIONS_H

#include "exports/cudart.h"

/* After calls of the functions that these are named after have succeeded. */
struct gp_graph_functions {
  void (*instantiated)(void *executable, void *graph); /* also cudaGraphExecUpdate */
  void (*kernel_changed)(void *executable, void *node, const struct gp_cuda_kernel_node *parameters);
  void (*destroyed)(void *executable);
  /* A conditional node was added (cudaGraphAddNode): the graphs that it runs. */
  void (*conditional)(void *node, void *const *bodies, unsigned count);
  /* Launches the executable graph by launch(closure), and counts it if that succeeds. */
  int (*launch)(void *executable, void *stream, int (*launch)(void *closure), void *closure);
};

struct gp_cuda_functions {
  const char *name; /* in messages: "the CPU device" */
  /* The functions of the CUDA runtime, each of which is there (gp_cudart_complete). */
  const struct gp_cudart *(*runtime)(void);
  /* The function of the driver, by its exported name; null: there is none. */
  void *(*driver)(const char *name);
  /* Before a launch by a function of the driver; null: nothing. */
  void (*before_driver_launch)(void);
  int splits_arguments; /* the driver's launches take arguments in one block of memory one by one */
  const struct gp_graph_functions *graphs; /* null: each kernel of a graph comes through the hook of launches */
  void (*reset)(int device); /* before cudaDeviceReset(); null: nothing */
};

/* Those of the device in use. */
const struct gp_cuda_functions *gp_cuda_functions(void);

#endif
