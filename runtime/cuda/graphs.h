/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Graphs. A launch of a graph counts for the region that launches the graph, by the kind of each kernel:
 * - A clone that needs the launch alone ran when the graph was instantiated or changed. Its counts are added once for each
 *   launch of the graph.
 * - A kernel with counters counts itself. Its counters are bound to that region first.
 * - A clone that reads memory could read what the graph writes. The executable graph runs the instrumented kernel instead.
 * The program's own graph is left alone. All other kernels are listed as uncounted launches.
 */
#ifndef GP_CUDA_GRAPHS_H
#define GP_CUDA_GRAPHS_H

#include "exports/cuda_functions.h"

extern const struct gp_graph_functions gp_cuda_graphs;

#endif
