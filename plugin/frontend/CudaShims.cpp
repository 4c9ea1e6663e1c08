// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/CudaShims.h"

namespace gpuprof {

const char *cudaShims() {
  return
#include "gpuprof/cuda_shims.inc"
      ;
}

} // namespace gpuprof
