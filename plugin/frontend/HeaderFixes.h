// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Repairs errors of some versions of clang in system headers: functions of clang's own CUDA headers, and host
// types missing in device code.
#ifndef GPUPROF_FRONTEND_HEADERFIXES_H
#define GPUPROF_FRONTEND_HEADERFIXES_H

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// To be called before code is generated. `CpuOnly`: no code for a GPU is made of this file.
std::unique_ptr<clang::ASTConsumer> createHeaderFixer(clang::CompilerInstance &CI, bool CpuOnly);

} // namespace gpuprof

#endif
