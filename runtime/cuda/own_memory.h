/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuprof's own memory on a GPU. */
#ifndef GP_OWN_MEMORY_H
#define GP_OWN_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Allocates device memory of the current device, aligned to 256 bytes, apart from the program's. Returns a
 * CUDA error, or 0. */
int gp_own_memory_allocate(uint64_t *address, size_t bytes);
/* Releases memory of gp_own_memory_allocate(). */
int gp_own_memory_release(uint64_t address);
/* The device was reset: its allocations are gone. */
void gp_own_memory_forget(int device);

#endif
