/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory of the program in calls that do more than allocate or release. */
#ifndef GP_MEMORY_FUNCTIONS_H
#define GP_MEMORY_FUNCTIONS_H

/* A node was added to a graph by cudaGraphAddNode(): its parameters. */
void gp_memory_note_node(void *parameters);
/* The device was reset; below 0: unknown which. */
void gp_memory_note_reset(int device);

#endif
