// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mends what some versions of clang get wrong in system headers: functions of clang's own CUDA headers, and
// types of the host's that device code does not have.
#ifndef GPUPROF_FRONTEND_HEADERFIXES_H
#define GPUPROF_FRONTEND_HEADERFIXES_H

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// To be asked before code is generated. `CpuOnly`: no code for a GPU is made of this file.
std::unique_ptr<clang::ASTConsumer> createHeaderFixer(clang::CompilerInstance &CI, bool CpuOnly);

} // namespace gpuprof

#endif
