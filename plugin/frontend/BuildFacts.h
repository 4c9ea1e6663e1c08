// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How device code is compiled: what decides its counts beside the source.
#ifndef GPUPROF_FRONTEND_BUILDFACTS_H
#define GPUPROF_FRONTEND_BUILDFACTS_H

#include <functional>
#include <string>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// Fields of the sheet's `build` record, but for the optimisation level, which the pipeline knows. `Compile` is asked
/// when its source has been read: the headers' macros tell which ones they are.
std::function<std::string()> buildFacts(std::function<const clang::CompilerInstance *()> Compile);

} // namespace gpuprof
#endif
