// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of kernels and variables with the CUDA runtime, for units compiled without a GPU binary: clang
// generates this code only with one.
#ifndef GPUPROF_INSTRUMENT_HOSTREGISTRATION_H
#define GPUPROF_INSTRUMENT_HOSTREGISTRATION_H

#include "llvm/IR/IRBuilder.h"

namespace gpuprof {

/// A private zero-terminated string.
llvm::Constant *makeString(llvm::Module &M, llvm::StringRef Text);

/// Clang's argument of __cudaRegisterFatBinary, around a binary without code.
llvm::Constant *makeEmptyFatBinary(llvm::Module &M);

/// Adds to `AtStart` the calls registering every launch stub of the module and every variable of the CPU
/// device's table. Adds the calls undoing it to `AtEnd`.
void registerWithCuda(llvm::Module &M, llvm::Constant *FatBinary, llvm::IRBuilder<> &AtStart,
                      llvm::IRBuilder<> &AtEnd);

} // namespace gpuprof

#endif
