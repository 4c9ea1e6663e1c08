/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fences (base/device.h) by events without times. */
#ifndef GP_FENCES_H
#define GP_FENCES_H

#include <stdint.h>

int gp_cuda_fence(void **fence, void *stream);
int gp_cuda_await_fence(void *fence, void *stream);
int gp_cuda_fence_passed(void *fence);
void gp_cuda_drop_fence(void *fence);
uint64_t gp_cuda_stream_number(void *stream);

#endif
