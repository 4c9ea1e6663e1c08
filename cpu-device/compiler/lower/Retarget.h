// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From nvptx64 to the host.
#ifndef GPUPROF_LOWER_RETARGET_H
#define GPUPROF_LOWER_RETARGET_H

#include "llvm/Support/Error.h"

namespace gpuprof::cpu {
struct Lowering;

/// Target, metadata, calling conventions; kernels become bodies with the thread's state as first parameter.
llvm::Error retarget(Lowering &L);
} // namespace gpuprof::cpu
#endif
