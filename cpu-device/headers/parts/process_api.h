/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory and events of other processes. */
#ifndef GPUPROF_MINICUDA_PROCESS_API_H
#define GPUPROF_MINICUDA_PROCESS_API_H

#include "runtime_types.h"

enum { cudaIpcMemLazyEnablePeerAccess = 1 };

struct cudaIpcMemHandle_t {
  char reserved[64];
};
struct cudaIpcEventHandle_t {
  char reserved[64];
};

extern "C" {
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer);
cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned flags);
cudaError_t cudaIpcCloseMemHandle(void *pointer);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
}

#endif
