/* GPUPROF_UNIQUE=1: launches run the copies that mark the sectors they touch, one after the other, untimed.
 */
#ifndef GP_CUDA_UNIQUE_H
#define GP_CUDA_UNIQUE_H

#include "cudart_types.h"

#include <stdint.h>

/* 1 if this process runs copies: the setting asks for it, and the device is a GPU. */
int gp_unique_wanted(void);

struct gp_unique_launch {
  const void *function;
  struct gp_cuda_dim3 grid, block;
  void **arguments;
  size_t dynamic_shared_bytes;
  void *stream;
  int cooperative;
};
/* Between begin and end, on the launching thread: runs the kernel's copy, waits for it and tells the core
 * what it touched. 0, with nothing done, where it cannot; the report says why. */
int gp_unique_launch(const struct gp_unique_launch *launch, int *error);
/* Around every launch that is counted. */
void gp_unique_begin(uint64_t launch_id);
void gp_unique_end(void);
/* Says why these launches have no unique bytes. */
void gp_unique_refuse(const void *function, const char *why);

/* The device was reset: the memory is gone. */
void gp_unique_forget(int device);

#endif
