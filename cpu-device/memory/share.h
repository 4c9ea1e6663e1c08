/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Device memory shared by several processes. */
#ifndef GP_CPU_SHARE_H
#define GP_CPU_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/* Makes the pages of this memory of the arena mappable by other processes: stores their file and the memory's
 * offset in it. False if the system refuses. */
bool gp_share_export(uint64_t address, uint64_t bytes, int *file, uint64_t *offset);
/* Maps memory exported by a process. Returns an address of the arena of the thread's device; *allocation
 * receives the address of the allocation holding it, for gp_share_close(). Returns 0 if the process has
 * ended, or nothing can be mapped. */
uint64_t gp_share_open(int process, int file, uint64_t offset, uint64_t bytes, uint64_t *allocation);
void gp_share_close(uint64_t allocation);

#endif
