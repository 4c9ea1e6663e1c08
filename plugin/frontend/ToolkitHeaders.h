// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explains missing headers available in a CUDA toolkit only.
#ifndef GPUPROF_FRONTEND_TOOLKITHEADERS_H
#define GPUPROF_FRONTEND_TOOLKITHEADERS_H

namespace clang {
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// For files compiled with gpuprof's own CUDA headers: a warning precedes clang's error about another CUDA
/// header, with the needed compile option.
void explainToolkitHeaders(clang::CompilerInstance &CI);

} // namespace gpuprof

#endif
