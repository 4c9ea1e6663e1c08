// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest blocks in which a unit's launches run its kernels.
#ifndef GPUPROF_FRONTEND_LAUNCHSIZES_H
#define GPUPROF_FRONTEND_LAUNCHSIZES_H

#include "llvm/ADT/StringMap.h"

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// By a kernel's mangled name. Only of kernels launched in blocks of constant size alone, as far as the unit
/// shows.
using LargestBlocks = llvm::StringMap<unsigned>;

/// Fills `Found` at the end of the unit.
std::unique_ptr<clang::ASTConsumer> createLaunchSizesConsumer(clang::CompilerInstance &CI,
                                                              std::shared_ptr<LargestBlocks> Found);

} // namespace gpuprof

#endif
