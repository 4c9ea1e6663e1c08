// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/fences.h"

#include "cuda/cuda_real.h"
#include "exports/captures.h"

#include <pthread.h>

#define EVENT_WITHOUT_TIME 2 /* cudaEventDisableTiming */

/* The default stream waits for streams of the program, hence may not be used while one is captured. */
static int is_forbidden(const void *stream) { return (uintptr_t)stream <= 1 && gp_captures(); }

int gp_cuda_fence(void **fence, void *stream) {
  if (is_forbidden(stream))
    return GP_CUDA_ERROR_CAPTURE_UNSUPPORTED;
  int mode = gp_cuda_enter(), error = 0;
  if (!*fence)
    error = gp_cuda_real()->cudaEventCreateWithFlags(fence, EVENT_WITHOUT_TIME);
  return gp_cuda_leave(mode, error ? error : gp_cuda_real()->cudaEventRecord(*fence, stream));
}

int gp_cuda_await_fence(void *fence, void *stream) {
  if (is_forbidden(stream))
    return GP_CUDA_ERROR_CAPTURE_UNSUPPORTED;
  int mode = gp_cuda_enter();
  return gp_cuda_leave(mode, gp_cuda_real()->cudaStreamWaitEvent(stream, fence, 0));
}

int gp_cuda_fence_passed(void *fence) {
  int mode = gp_cuda_enter();
  return !gp_cuda_leave(mode, gp_cuda_real()->cudaEventQuery(fence));
}

void gp_cuda_drop_fence(void *fence) {
  int mode = gp_cuda_enter();
  gp_cuda_leave(mode, gp_cuda_real()->cudaEventDestroy(fence));
}

/* ---- Numbers of streams ---- */
static int (*id_of)(void *stream, unsigned long long *id);
static void look_up(void) { *(void **)&id_of = gp_cuda_symbol("cudaStreamGetId"); }

/* CUDA 11 has no numbers: handles stand for them. */
uint64_t gp_cuda_stream_number(void *stream) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  unsigned long long id;
  pthread_once(&once, look_up);
  if (id_of && !id_of(stream, &id))
    return id;
  if (id_of)
    gp_cuda_real()->cudaGetLastError();
  return (uint64_t)(uintptr_t)stream;
}
