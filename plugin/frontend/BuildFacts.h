// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts of the compilation of device code: all that determines its counts besides the source.
#ifndef GPUPROF_FRONTEND_BUILDFACTS_H
#define GPUPROF_FRONTEND_BUILDFACTS_H

#include <functional>
#include <string>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// Fields of the sheet's `build` record, except the optimisation level, known to the pipeline. `Compile` is
/// called after reading its source. `Headers` is a compile that has read the same source, perhaps the same one: the headers'
/// macros identify the headers.
std::function<std::string()> buildFacts(std::function<const clang::CompilerInstance *()> Compile,
                                        clang::CompilerInstance &Headers);

} // namespace gpuprof
#endif
