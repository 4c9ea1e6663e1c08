/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
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

#include "exports/cuda_functions.h"

extern const struct gp_graph_functions gp_cuda_graphs;

#endif
