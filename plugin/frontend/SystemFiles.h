// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which files belong to libraries: what their functions do is told at the line of the user's that calls them.
#ifndef GPUPROF_FRONTEND_SYSTEMFILES_H
#define GPUPROF_FRONTEND_SYSTEMFILES_H

#include "llvm/ADT/StringRef.h"

#include <functional>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// A test for files, by the names that debug information gives them: whether one was included from a system
/// header directory (CUDA's, the compiler's own, gpuprof's). `Compile` is asked when the first file is.
std::function<bool(llvm::StringRef)> systemFileTest(std::function<const clang::CompilerInstance *()> Compile);

} // namespace gpuprof
#endif
