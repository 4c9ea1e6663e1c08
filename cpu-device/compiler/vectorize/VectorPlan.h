// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides if a loop over threads can be vectorised with enough gain, and where its lanes may diverge.
#ifndef GPUPROF_VECTORIZE_VECTORPLAN_H
#define GPUPROF_VECTORIZE_VECTORPLAN_H

#include "module/GlobalAccesses.h"
#include "workitem/LaneOperations.h"
#include "workitem/ThreadVariation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace gpuprof::cpu {

/// A call without side effects.
bool isPure(const llvm::CallInst &Call);

/// `Memory += Value` (or |=), of a variable shared by the threads of the block.
struct Accumulation {
  llvm::LoadInst *Load = nullptr;
  llvm::BinaryOperator *Sum = nullptr;
  llvm::Value *Value = nullptr;
};

/// The plan to vectorise a loop over threads.
class VectorPlan {
public:
  VectorPlan(const llvm::Loop &Threads, const llvm::PHINode &X, llvm::LoopInfo &Loops,
             llvm::ArrayRef<GlobalAccess> Unrecorded);
  /// False: the loop cannot be vectorised, or would gain too little.
  bool find();
  /// The variation of a value in a strip.
  Variation of(const llvm::Value *V) const { return Values->of(V); }
  /// Extensions of an operand that must not wrap around within a strip, and indices of warps and lanes that must be
  /// those of one warp. Code in the vector body checks it.
  const llvm::SmallSetVector<llvm::Instruction *, 4> &checked() const { return Checked; }
  /// Branches with possibly diverging lanes.
  const llvm::SmallSetVector<llvm::Instruction *, 4> &divergent() const { return Divergent; }
  const Accumulation *accumulation(const llvm::StoreInst &S) const;
  /// True for a part of an accumulation, or an instruction without effect.
  bool isSkipped(const llvm::Instruction &I) const { return Skipped.contains(&I); }
  /// True if the lanes access neighbouring elements.
  bool isContiguous(const llvm::Value *Pointer, const llvm::Type *Element) const {
    return Values->isContiguous(Pointer, Element);
  }
  /// The maximum number of values carried by a lane between iterations of its own loop.
  unsigned mostCarried() const { return MostCarried; }
  unsigned instructions() const { return Count; }
  /// True if loops within the threads gather or scatter.
  bool gathers() const { return Gathers; }

private:
  bool refuse(llvm::Statistic &Reason, const llvm::Value &At) const;
  void findAccumulations();
  bool canCopy(const llvm::Instruction &I) const;
  bool canStore(const llvm::StoreInst &I) const;
  bool canDiverge(llvm::BasicBlock &Block);
  bool isGather(const llvm::Instruction &I) const;
  bool gains() const;
  std::pair<double, double> price(const llvm::Instruction &I) const;

  const llvm::Loop &Threads;
  const llvm::PHINode &X;
  llvm::LoopInfo &Loops;
  std::optional<ThreadVariation> Values;
  llvm::DenseMap<const llvm::StoreInst *, Accumulation> Accumulations;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Skipped;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Recorded; // recorded in place
  llvm::SmallSetVector<llvm::Instruction *, 4> Checked;
  llvm::SmallSetVector<llvm::Instruction *, 4> Divergent;
  unsigned MostCarried = 0, Count = 0;
  bool Gathers = false;
};

} // namespace gpuprof::cpu
#endif
