// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of control-equivalent blocks: blocks always running equally often share one counter.
#ifndef GPUPROF_ANALYSIS_GROUPS_H
#define GPUPROF_ANALYSIS_GROUPS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace gpuprof {

/// For each reachable block the one counting for it: itself, or one running equally often in every thread.
llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> countingBlocks(llvm::Function &F);

/// The exit instruction, as an intrinsic or in inline PTX, even under a predicate: the thread may end there,
/// whatever follows in the IR.
bool isThreadExit(const llvm::Instruction &I);

/// The possible ends of threads in a function: returns, and the exit instruction.
llvm::SmallVector<llvm::Instruction *, 4> exitsOf(llvm::Function &F);

/// True if a thread may end there: an exit, or a call of a function of the unit reaching one.
bool mayEndThread(const llvm::Instruction &I);

/// Begins a block behind such an instruction: the code there may run less often than the code before.
void splitAtThreadExits(llvm::Module &M);

/// True if a call of the function can run the block more than once.
bool mayRepeat(const llvm::BasicBlock &BB);

} // namespace gpuprof
#endif
