// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device compilation inside the host compilation: its IR is for the CPU device.
#ifndef GPUPROF_FRONTEND_NESTEDCOMPILE_H
#define GPUPROF_FRONTEND_NESTEDCOMPILE_H

#include "llvm/ADT/SmallVector.h"

namespace clang {
class CompilerInstance;
}

namespace gpuprof {
struct Instantiations;
struct Options;

/// Compiles the main file of `Host` for nvptx64, in process, with the region pragmas and the counting passes,
/// and appends the optimised module to `Bitcode`. On failure reports the errors through the diagnostics of
/// `Host` and returns false. Call it only if `Host` generates code for CUDA on the host side; `OfHost` are
/// the templates instantiated there.
bool compileForCpuDevice(clang::CompilerInstance &Host, const Options &Opts, const Instantiations &OfHost,
                         llvm::SmallVectorImpl<char> &Bitcode);

/// True for the compile run by compileForCpuDevice(). clang adds the plugin's action to it as to any other;
/// the action has nothing to do there.
bool isNestedCompile(const clang::CompilerInstance &CI);
} // namespace gpuprof
#endif
