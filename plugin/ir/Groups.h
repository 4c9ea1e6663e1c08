// Groups of control-equivalent blocks: blocks that always run equally often share one counter.
#ifndef GPUPROF_IR_GROUPS_H
#define GPUPROF_IR_GROUPS_H

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
} // namespace llvm

namespace gpuprof {

/// For each reachable block the one that counts for it (itself, or a block that dominates it).
llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> countingBlocks(llvm::Function &F);

/// The exit instruction, as an intrinsic or in inline PTX: the thread ends there, whatever follows in the IR.
bool isThreadExit(const llvm::Instruction &I);

/// Whether a call of the function can run the block more than once.
bool mayRepeat(const llvm::BasicBlock &BB);

} // namespace gpuprof
#endif
