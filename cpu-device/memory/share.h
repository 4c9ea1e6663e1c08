/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Device memory that several processes have. */
#ifndef GP_CPU_SHARE_H
#define GP_CPU_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/* Makes the pages of this memory of the arena ones that other processes can map: stores the file that holds
 * them and the memory's offset there. False where the system refuses. */
bool gp_share_export(uint64_t address, uint64_t bytes, int *file, uint64_t *offset);
/* Maps what a process exported; returns an address of the arena of the thread's device, and in *allocation
 * that of the allocation that is its place, for gp_share_close(). 0 where that process has gone, or nothing
 * can be mapped. */
uint64_t gp_share_open(int process, int file, uint64_t offset, uint64_t bytes, uint64_t *allocation);
void gp_share_close(uint64_t allocation);

#endif
