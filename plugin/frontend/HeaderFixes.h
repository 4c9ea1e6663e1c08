// Mends functions of clang's own CUDA headers that are wrong in some versions.
#ifndef GPUPROF_FRONTEND_HEADERFIXES_H
#define GPUPROF_FRONTEND_HEADERFIXES_H

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// To be asked before code is generated.
std::unique_ptr<clang::ASTConsumer> createHeaderFixer(clang::CompilerInstance &CI);

} // namespace gpuprof

#endif
