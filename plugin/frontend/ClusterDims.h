// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __cluster_dims__ has no effect in clang: up to 21 it does not know the attribute, and 22 generates no code
// for it.
#ifndef GPUPROF_FRONTEND_CLUSTERDIMS_H
#define GPUPROF_FRONTEND_CLUSTERDIMS_H

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace gpuprof {

/// Annotates kernels with the size of their clusters, for instrument/ClusterSizes.h. It must come before the
/// consumer generating code. `IsForGpu`: warns if LLVM cannot pass the size to a GPU.
std::unique_ptr<clang::ASTConsumer> createClusterDimsConsumer(clang::CompilerInstance &CI, bool IsForGpu);

} // namespace gpuprof

#endif
