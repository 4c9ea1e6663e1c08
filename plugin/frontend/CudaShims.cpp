// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/CudaShims.h"

#include "frontend/cuda_shims.inc"

namespace gpuprof {

const char *cudaShims() { return cuda_shims; }

} // namespace gpuprof
