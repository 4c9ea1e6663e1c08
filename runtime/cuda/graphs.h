/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Graphs. A launch of a graph counts for the region launching the graph, by the kind of each kernel:
 * - A free clone ran when the graph was instantiated or changed. Its counts are added once for each launch of
 *   the graph.
 * - A kernel with counters counts itself. Its counters are bound to the region first.
 * - A light clone could read memory written by the graph. The executable graph runs the instrumented kernel
 *   instead. The program's own graph is left alone.
 *
 * All other kernels are listed as uncounted launches.
 */
#ifndef GP_CUDA_GRAPHS_H
#define GP_CUDA_GRAPHS_H

#include "exports/cuda_functions.h"

extern const struct gp_graph_functions gp_cuda_graphs;

#endif
