// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's headers, kept in precompiled form from one compile to the next.
#ifndef GPUPROF_FRONTEND_KEPTHEADERS_H
#define GPUPROF_FRONTEND_KEPTHEADERS_H

#include "common/Options.h"

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// Lets this compile begin with the headers kept of an earlier one with the same options, in place of the text
/// of clang's header for CUDA. If there are none, the second compile keeps them. Returns a consumer that gives
/// the compile's options back once the headers are loaded; none where their text is read.
std::unique_ptr<clang::ASTConsumer> useKeptHeaders(clang::CompilerInstance &CI, const Options &O);

} // namespace gpuprof

#endif
