// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host compile's work besides regions: it compiles the kernels for the CPU device and runs the host half.
#ifndef GPUPROF_FRONTEND_HOSTCOMPILE_H
#define GPUPROF_FRONTEND_HOSTCOMPILE_H

#include "common/Options.h"

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// Adds the host passes to the compile. Returns the consumer preparing their input once the host's code is
/// known to be correct. It must run before the consumer generating code.
std::unique_ptr<clang::ASTConsumer> createHostConsumer(clang::CompilerInstance &CI, const Options &O);

} // namespace gpuprof

#endif
