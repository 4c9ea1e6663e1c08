// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbouring loads made by one wider instruction, which also loads what lies between or behind them.
#ifndef GPUPROF_ANALYSIS_WIDERLOADS_H
#define GPUPROF_ANALYSIS_WIDERLOADS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace llvm {
class Function;
class Instruction;
class LoadInst;
class Value;
} // namespace llvm

namespace gpuprof {

/// The pointer beside which a load reads, and its constant distance in bytes.
std::pair<const llvm::Value *, int64_t> placeOf(const llvm::LoadInst &Load);

/// The first load of a group, and the additional bytes of all.
using WiderLoads = std::vector<std::pair<const llvm::LoadInst *, uint64_t>>;

/// ptxas loads three words of an aligned block of four in shared memory by one LDS.128. `MayChange`: loads are not
/// joined past such an instruction.
WiderLoads widerSharedLoads(llvm::Function &F, llvm::function_ref<bool(const llvm::Instruction &)> MayChange);

/// Since LLVM 22 the code generator fills gaps between loads to make them one vector. Found by its own pass on a copy of
/// the function.
WiderLoads filledLoads(llvm::Function &F, llvm::FunctionAnalysisManager &Analyses);

} // namespace gpuprof
#endif
