// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of CUDA's device library, by name.
#ifndef GPUPROF_LOWER_LIBRARYNAMES_H
#define GPUPROF_LOWER_LIBRARYNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof::cpu {
/// True for a function of the C library.
bool isLibm(llvm::StringRef Name);
/// Describes a function without a definition here, in words.
std::string missing(const llvm::Function &F);
} // namespace gpuprof::cpu
#endif
