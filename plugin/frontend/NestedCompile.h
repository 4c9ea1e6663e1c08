// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device compilation inside the host compilation: it gives the IR that the CPU device runs.
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
/// and appends the optimised module to `Bitcode`. On failure the errors have been reported through the
/// diagnostics of `Host`, and false is returned. To be called only where `Host` generates code for CUDA on
/// the host side, which has made `OfHost` from templates.
bool compileForCpuDevice(clang::CompilerInstance &Host, const Options &Opts, const Instantiations &OfHost,
                         llvm::SmallVectorImpl<char> &Bitcode);

/// Is this the compile that compileForCpuDevice() runs? clang adds the plugin's action to it as to any other,
/// where it has nothing to do.
bool isNestedCompile(const clang::CompilerInstance &CI);
} // namespace gpuprof
#endif
