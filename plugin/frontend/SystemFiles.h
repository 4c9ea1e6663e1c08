// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classifies files of libraries: the actions of their functions are reported at the calling line of the
// user's code.
#ifndef GPUPROF_FRONTEND_SYSTEMFILES_H
#define GPUPROF_FRONTEND_SYSTEMFILES_H

#include "llvm/ADT/StringRef.h"

#include <functional>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// A test for files, by their names in debug information: true if included from a system header directory
/// (CUDA's, the compiler's own, gpuprof's). `Compile` is called for the first file.
std::function<bool(llvm::StringRef)> systemFileTest(std::function<const clang::CompilerInstance *()> Compile);

} // namespace gpuprof
#endif
