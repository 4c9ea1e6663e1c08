// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and variables without a definition.
#ifndef GPUPROF_LOWER_CLOSEMODULE_H
#define GPUPROF_LOWER_CLOSEMODULE_H

#include "llvm/Support/Error.h"

namespace gpuprof::cpu {
struct Lowering;

/// Gives each function without a definition a body that stops the launch, and each variable a definition.
/// Returns an error if it cannot.
llvm::Error closeModule(Lowering &L);
} // namespace gpuprof::cpu
#endif
