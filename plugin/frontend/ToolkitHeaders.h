// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says where the headers are that only a CUDA toolkit has.
#ifndef GPUPROF_FRONTEND_TOOLKITHEADERS_H
#define GPUPROF_FRONTEND_TOOLKITHEADERS_H

namespace clang {
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// Compiled with gpuprof's own CUDA headers, a file that includes another of CUDA's gets a warning that says
/// with what to compile it, before clang's error.
void explainToolkitHeaders(clang::CompilerInstance &CI);

} // namespace gpuprof

#endif
