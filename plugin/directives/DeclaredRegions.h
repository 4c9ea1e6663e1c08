// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The regions of a kernel in the source. The optimiser may leave no instruction of one, but its row stays in
// the report. They are therefore recorded before the optimiser runs.
#ifndef GPUPROF_DIRECTIVES_DECLAREDREGIONS_H
#define GPUPROF_DIRECTIVES_DECLAREDREGIONS_H

#include "directives/Regions.h"

#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gpuprof {

/// Runs at pipeline start, while the markers exist. Attaches the paths of its regions, including those in
/// called functions, to each kernel and to each function callable by kernels of other units.
void declareRegions(llvm::Module &M);

/// The paths attached by declareRegions, each behind enclosing ones.
std::vector<RegionPath> declaredRegions(const llvm::Function &F);
bool declaresRegions(const llvm::Function &F);

/// Removes them, before the function is copied or written.
void eraseDeclaredRegions(llvm::Module &M);

} // namespace gpuprof
#endif
