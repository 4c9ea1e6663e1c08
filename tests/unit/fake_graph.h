/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Graphs in the fake CUDA runtime. */
#ifndef FAKE_GRAPH_H
#define FAKE_GRAPH_H

/* A graph of the fake CUDA runtime is an array of these, ended by the type -1. */
struct fake_node {
  int type; /* cudaGraphNodeType: 0 kernel, 4 graph, 10 allocation, 11 free */
  struct {
    const void *function;
    unsigned grid[3], block[3], dynamic_shared_bytes;
    void **arguments, **extra;
  } kernel; /* cudaKernelNodeParams */
  struct fake_node *child;
};

#endif
