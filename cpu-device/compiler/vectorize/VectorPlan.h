// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a loop over threads can be vectorised, whether that gains enough, and where its lanes may diverge.
#ifndef GPUPROF_VECTORIZE_VECTORPLAN_H
#define GPUPROF_VECTORIZE_VECTORPLAN_H

#include "memtrace/GlobalAccesses.h"
#include "workitem/ThreadVariation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace gpuprof::cpu {

/// An intrinsic that LLVM has for vectors of its operands' types too.
bool isLanewise(const llvm::CallInst &Call);
/// A call without side effects.
bool isPure(const llvm::CallInst &Call);

/// `Memory += Value` (or |=), of a variable that the threads of the block share.
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
  /// How a value varies in a strip.
  Variation of(const llvm::Value *V) const { return Values->of(V); }
  /// Extensions whose operand must not wrap around within a strip. Run time checks it.
  const llvm::SmallSetVector<llvm::Instruction *, 4> &checked() const { return Checked; }
  /// Branches at which lanes may diverge.
  const llvm::SmallSetVector<llvm::Instruction *, 4> &divergent() const { return Divergent; }
  const Accumulation *accumulation(const llvm::StoreInst &S) const;
  /// Part of an accumulation, or of no effect.
  bool isSkipped(const llvm::Instruction &I) const { return Skipped.contains(&I); }
  /// Do the lanes access neighbouring elements?
  bool isContiguous(const llvm::Value *Pointer, const llvm::Type *Element) const {
    return Values->isContiguous(Pointer, Element);
  }
  /// The most values that a lane carries from iteration to iteration of a loop of its own.
  unsigned mostCarried() const { return MostCarried; }
  unsigned instructions() const { return Count; }
  /// Do loops within the threads gather or scatter?
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
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Recorded; // recorded where they are
  llvm::SmallSetVector<llvm::Instruction *, 4> Checked;
  llvm::SmallSetVector<llvm::Instruction *, 4> Divergent;
  unsigned MostCarried = 0, Count = 0;
  bool Gathers = false;
};

} // namespace gpuprof::cpu
#endif
