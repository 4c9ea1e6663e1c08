// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the host compile does besides regions: it compiles the kernels for the CPU device and runs the host
// half.
#ifndef GPUPROF_FRONTEND_HOSTCOMPILE_H
#define GPUPROF_FRONTEND_HOSTCOMPILE_H

#include "common/Options.h"

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// Adds the host passes to the compile, and returns the consumer that, when the host's code is known to be
/// right, prepares what they need. To be run before the consumer that generates code.
std::unique_ptr<clang::ASTConsumer> createHostConsumer(clang::CompilerInstance &CI, const Options &O);

} // namespace gpuprof

#endif
