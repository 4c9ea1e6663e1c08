/* Graphs: what clones count of the kernels in a graph is found when the graph is instantiated or changed, and
 * added when it is launched, for the region that launches it. The graph itself is left alone.
 */
#ifndef GP_CUDA_GRAPHS_H
#define GP_CUDA_GRAPHS_H

#include "cudart_types.h"

/* After the calls of these names have succeeded. */
void gp_graphs_instantiated(void *executable, void *graph); /* also cudaGraphExecUpdate */
void gp_graphs_kernel_changed(void *executable, void *node, const struct gp_cuda_kernel_node *parameters);
void gp_graphs_launched(void *executable, void *stream);
void gp_graphs_destroyed(void *executable);

#endif
