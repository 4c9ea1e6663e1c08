// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and variables that are declared only.
#ifndef GPUPROF_LOWER_CLOSEMODULE_H
#define GPUPROF_LOWER_CLOSEMODULE_H

#include "llvm/Support/Error.h"

namespace gpuprof::cpu {
struct Lowering;

/// Gives functions and variables without a definition one that stops the launch, or fails.
llvm::Error closeModule(Lowering &L);
} // namespace gpuprof::cpu
#endif
