// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic that the code generator and ptxas move into the blocks that want its results.
#ifndef GPUPROF_COSTS_SINKING_H
#define GPUPROF_COSTS_SINKING_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
} // namespace llvm

namespace gpuprof {

class Contractions;

class Sinking {
public:
  Sinking(const llvm::Function &F, const Contractions &Selection);

  /// True for a product that LLVM moves into the block of its only user, a sum containing it there: the two are one fma.
  bool isProductOfOtherBlock(const llvm::Instruction &I) const;
  /// The number of such operands of a sum.
  unsigned productsOfOtherBlocks(const llvm::Instruction &I) const;

  /// True if all users of the value are in one block that some threads pass by, or are such values themselves. The value
  /// may be computed there, or where it stands.
  bool isWantedBehindBranch(const llvm::Instruction &I) const { return Wanting.lookup(&I); }
  /// The values that may be computed in the block of I: I is the first of their users there.
  llvm::ArrayRef<const llvm::Instruction *> before(const llvm::Instruction &I) const;

private:
  llvm::DenseMap<const llvm::Instruction *, const llvm::BasicBlock *> Wanting;
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<const llvm::Instruction *, 2>> Before;
};

} // namespace gpuprof
#endif
