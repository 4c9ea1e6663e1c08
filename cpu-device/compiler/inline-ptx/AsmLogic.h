// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logic of three operands.
#ifndef GPUPROF_INLINEPTX_ASMLOGIC_H
#define GPUPROF_INLINEPTX_ASMLOGIC_H

#include "llvm/IR/IRBuilder.h"

namespace gpuprof::cpu {

/// lop3: the bit of the table at index a * 4 + b * 2 + c, in as few operations as possible.
llvm::Value *logicOfThree(llvm::IRBuilder<> &B, llvm::Value *X, llvm::Value *Y, llvm::Value *Z,
                          uint64_t Lookup);

} // namespace gpuprof::cpu
#endif
