// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of control-equivalent blocks: blocks that always run equally often share one counter.
#ifndef GPUPROF_ANALYSIS_GROUPS_H
#define GPUPROF_ANALYSIS_GROUPS_H

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace gpuprof {

/// For each reachable block the one that counts for it: itself, or one that runs as often in every thread.
llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> countingBlocks(llvm::Function &F);

/// The exit instruction, as an intrinsic or in inline PTX, also under a predicate: the thread may end there,
/// whatever follows in the IR.
bool isThreadExit(const llvm::Instruction &I);

/// Whether a thread may end there: an exit, or a call of a function of the unit in which one may be reached.
bool mayEndThread(const llvm::Instruction &I);

/// Lets what follows such an instruction begin a block: it may run less often than what stands before.
void splitAtThreadExits(llvm::Module &M);

/// Whether a call of the function can run the block more than once.
bool mayRepeat(const llvm::BasicBlock &BB);

} // namespace gpuprof
#endif
