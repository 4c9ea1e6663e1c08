/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of MPI and NCCL by this process: number, bytes and host time of each function. */
#ifndef GP_COMMUNICATION_H
#define GP_COMMUNICATION_H

#include <stddef.h>
#include <stdint.h>

#define GP_COMMUNICATION_FUNCTIONS 128u
/* Ends of calls that all ranks leave nearly together. When the list is full, every other one is dropped: the same ones in
 * every rank, since their numbers are the same. */
#define GP_COMMON_ENDS 256u

struct gp_communication_function {
  const char *name; /* lives as long as the process */
  uint64_t calls, bytes, ns;
  uint64_t unknown; /* calls that moved data without saying how much */
  int has_bytes;
};

struct gp_communication {
  size_t function_count;
  struct gp_communication_function functions[GP_COMMUNICATION_FUNCTIONS];
  uint64_t common_count, stride; /* the ends are those of numbers 0, stride, 2 * stride, … */
  size_t end_count;
  uint64_t ends[GP_COMMON_ENDS]; /* ns since 1970 */
};

/* `common`: the call ended nearly at once in all ranks. */
void gp_communication_add(const char *function, uint64_t bytes, uint64_t ns, int common);
/* A copy of the present state. */
void gp_communication_read(struct gp_communication *communication);
/* In a forked child. */
void gp_communication_in_child(void);

#endif
