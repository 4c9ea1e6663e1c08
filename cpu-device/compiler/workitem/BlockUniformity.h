// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values are uniform in a block.
#ifndef GPUPROF_WORKITEM_BLOCKUNIFORMITY_H
#define GPUPROF_WORKITEM_BLOCKUNIFORMITY_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Function.h"

namespace gpuprof::cpu {

/// Block uniformity: values of a kernel body that are equal in all threads of a block that execute it
/// together.
class BlockUniformity {
public:
  BlockUniformity(llvm::Function &Body, const llvm::PostDominatorTree &After, const llvm::LoopInfo &Loops);
  bool isUniform(const llvm::Value *V) const { return !Varying.contains(V); }

private:
  void seed();
  void markVarying(const llvm::Value *V);
  void branch(llvm::BasicBlock *Block);
  void taint(llvm::BasicBlock *Block);

  llvm::Function &Body;
  const llvm::PostDominatorTree &After;
  const llvm::LoopInfo &Loops;
  llvm::DenseSet<const llvm::Value *> Varying;
  llvm::SmallVector<const llvm::Value *> Work;
};

} // namespace gpuprof::cpu
#endif
