/* Graphs. What a launch of a graph counts, it counts for the region that launches the graph:
 * - of kernels whose clone finds the counts from the launch alone, what the clone found when the graph was
 * instantiated or changed, once for each launch of the graph;
 * - kernels with counters count themselves, since their counters are pointed at that region before;
 * - in the place of kernels whose clone reads memory, which the graph may write meanwhile, the executable
 * graph runs their copies with counters. The program's own graph is left alone. What cannot be counted is
 * listed as uncounted launches.
 */
#ifndef GP_CUDA_GRAPHS_H
#define GP_CUDA_GRAPHS_H

#include "exports/cudart_types.h"

/* After the calls of these names have succeeded. */
void gp_graphs_instantiated(void *executable, void *graph); /* also cudaGraphExecUpdate */
void gp_graphs_kernel_changed(void *executable, void *node, const struct gp_cuda_kernel_node *parameters);
void gp_graphs_destroyed(void *executable);
/* A conditional node was added (cudaGraphAddNode): the graphs that it runs. */
void gp_graphs_conditional(void *node, void *const *bodies, unsigned count);

/* Launches the executable graph by launch(closure), and counts it if that succeeds. */
int gp_graphs_launch(void *executable, void *stream, int (*launch)(void *closure), void *closure);

#endif
