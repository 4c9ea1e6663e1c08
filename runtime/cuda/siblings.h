/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels that the plugin has put beside a kernel of the program: same module, its name and a suffix (abi.h).
 * They are reached through the driver, since no host stub stands for them.
 */
#ifndef GP_CUDA_SIBLINGS_H
#define GP_CUDA_SIBLINGS_H

#include "base/device.h"
#include "exports/cudart_types.h"

#include <stdint.h>

enum gp_sibling_problem { GP_SIBLING_FOUND, GP_SIBLING_DRIVER, GP_SIBLING_MODULE, GP_SIBLING_NONE };

struct gp_sibling {
  void *function, *module;
};

/* Looks for it in the module that launches of the host stub on the current device run from. */
enum gp_sibling_problem gp_sibling_find(const void *host, const char *suffix, struct gp_sibling *sibling);
/* The host stub of a kernel from a handle of it: the driver's, or the CUDA runtime's (cudaFunction_t, cudaKernel_t). Null
 * if no program's stub stands for it, as for what a program loads by itself. */
const void *gp_sibling_host(const void *handle);
/* The name of a kernel that was launched by this handle; null if the driver does not say. */
const char *gp_sibling_name(const void *handle);
/* A sentence's end for what gp_sibling_find() answered: GP_SIBLING_DRIVER or GP_SIBLING_MODULE. */
const char *gp_sibling_problem_text(enum gp_sibling_problem problem);
/* Gives the sibling what cudaFuncSetAttribute() has given the kernel of the host stub. */
void gp_sibling_take_attributes(const struct gp_sibling *sibling, const void *host);

/* Threads that a block of it can have at most, by its registers and bounds; 0 if the driver does not say. */
unsigned gp_sibling_most_threads(const struct gp_sibling *sibling);
/* Launches it in the launch's grid, on its stream and with its arguments: without shared memory, clusters or waiting for other
 * blocks, whatever the launch has. Returns the driver's error. */
int gp_sibling_launch(const struct gp_sibling *sibling, const struct gp_launch *launch);
/* Puts the sibling into the place of the kernel of a node, in an executable graph alone. Returns the driver's error. */
int gp_sibling_into_graph(const struct gp_sibling *sibling, void *executable, void *node,
                          const struct gp_cuda_kernel_node *parameters);

#endif
