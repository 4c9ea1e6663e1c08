// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The front end: pragmas become markers in the AST. Used by the plugin's action and by the nested device
// compile.
#ifndef GPUPROF_FRONTEND_FRONTEND_H
#define GPUPROF_FRONTEND_FRONTEND_H

#include "common/Options.h"

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// Installs pragma handler, token watcher and predefined declarations on a compile about to start. Returns
/// the consumer rewriting its AST; it must come before the consumer generating code.
std::unique_ptr<clang::ASTConsumer> createRegionConsumer(clang::CompilerInstance &CI, const Options &O);

} // namespace gpuprof

#endif
