/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels added by the plugin beside a kernel of the program: same module, its name and a suffix (abi.h).
 * They are reached through the driver, since they have no host stub.
 */
#ifndef GP_CUDA_SIBLINGS_H
#define GP_CUDA_SIBLINGS_H

#include "base/device.h"
#include "exports/cudart_types.h"

#include <stdint.h>

enum gp_sibling_problem { GP_SIBLING_FOUND, GP_SIBLING_DRIVER, GP_SIBLING_MODULE, GP_SIBLING_NONE };

struct gp_sibling {
  void *function;
  void *original; /* the driver's handle of the kernel */
  const char *suffix;
};

/* Looks for it in the module used by launches of the host stub on the current device. */
enum gp_sibling_problem gp_sibling_find(const void *host, const char *suffix, struct gp_sibling *sibling);
/* The host stub of a kernel from a handle of it: the driver's, or the CUDA runtime's (cudaFunction_t,
 * cudaKernel_t). Null without a stub in the program, as for modules loaded by a program itself. */
const void *gp_sibling_host(const void *handle);
/* The name of a kernel launched by this handle; null if the driver does not report it. */
const char *gp_sibling_name(const void *handle);
/* The end of a sentence for the result of gp_sibling_find(): GP_SIBLING_DRIVER or GP_SIBLING_MODULE. */
const char *gp_sibling_problem_text(enum gp_sibling_problem problem);
/* A device ends: forgets the siblings found. */
void gp_siblings_forget(void);
/* The same if it was found before: then no call of the driver is needed that a capture forbids. */
int gp_sibling_known(const void *host, const char *suffix, struct gp_sibling *sibling);
/* Copies attributes set by cudaFuncSetAttribute() from the kernel to the sibling. */
void gp_sibling_take_attributes(const struct gp_sibling *sibling);
/* Those that a launch needs, if all were copied since the program set one last. Returns the dynamic shared memory that a
 * launch may now ask for. */
int gp_sibling_take_attributes_for(const struct gp_sibling *sibling, const struct gp_launch *launch);

/* Maximum threads of its blocks, by its registers and bounds; 0 if the driver does not report it. */
unsigned gp_sibling_most_threads(const struct gp_sibling *sibling);
/* Resident blocks on a multiprocessor, as the driver computes them; negative if it does not. */
int gp_sibling_blocks(const struct gp_sibling *sibling, int block_size, size_t dynamic_shared_bytes, unsigned flags);
/* Launches it in the kernel's place by the driver, with shared memory and cooperation; without attributes. */
int gp_sibling_launch_in_place(const struct gp_sibling *sibling, const struct gp_launch *launch);
/* Launches it in the launch's grid, on its stream and with its arguments. Shared memory, clusters and
 * cooperation of the launch are ignored. Returns the driver's error. */
int gp_sibling_launch(const struct gp_sibling *sibling, const struct gp_launch *launch);
/* Replaces the kernel of a node by the sibling, in an executable graph alone. Returns the driver's error. */
int gp_sibling_into_graph(const struct gp_sibling *sibling, void *executable, void *node,
                          const struct gp_cuda_kernel_node *parameters);

#endif
