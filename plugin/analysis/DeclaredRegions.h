// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The regions that the source puts into a kernel. The optimiser may leave no instruction of one; its row stays in the
// report all the same, so they are written down before it runs.
#ifndef GPUPROF_ANALYSIS_DECLAREDREGIONS_H
#define GPUPROF_ANALYSIS_DECLAREDREGIONS_H

#include "analysis/Regions.h"

#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gpuprof {

/// At pipeline start, while the markers are there: attaches the paths of its regions, and of those in the functions that it
/// calls, to each kernel and to each function that kernels of other units may call.
void declareRegions(llvm::Module &M);

/// What declareRegions has attached, each path after those around it.
std::vector<RegionPath> declaredRegions(const llvm::Function &F);
bool declaresRegions(const llvm::Function &F);

/// Removes it, before the function is copied or written.
void eraseDeclaredRegions(llvm::Module &M);

} // namespace gpuprof
#endif
