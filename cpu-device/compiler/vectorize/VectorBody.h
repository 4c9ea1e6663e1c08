// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of a vectorised loop over threads.
#ifndef GPUPROF_VECTORIZE_VECTORBODY_H
#define GPUPROF_VECTORIZE_VECTORBODY_H

#include "vectorize/VectorPlan.h"
#include "llvm/IR/IntrinsicInst.h"
#include <memory>

namespace gpuprof::cpu {

/// A value of the loop in the vector body. All: a vector. Otherwise First is the value of lane 0, and Step
/// (null: none) the distance from lane to lane.
struct Lanes {
  llvm::Value *First = nullptr, *Step = nullptr, *All = nullptr;
};

/// An exit of the vector body, from where each lane goes on by itself.
struct LaneExit {
  llvm::BasicBlock *From = nullptr;  // the loop's block with the exit at its end
  llvm::BasicBlock *Block = nullptr; // of the copy, empty
  llvm::Value *Condition = nullptr;  // one bit a lane: the way taken; null: there is one way only
  // An extension not affine because its operand has wrapped around, or an index of several warps.
  llvm::Instruction *Failed = nullptr;
};

/// A vector body: a copy of the loop's body running a strip of `Width` lanes.
class VectorBody {
public:
  VectorBody(Lowering &L, const VectorPlan &Plan, const llvm::PHINode &X, llvm::Instruction *Outside,
            unsigned Width)
      : L(L), Plan(Plan), X(X), Outside(Outside), Width(Width) {}
  /// Copies the blocks, header first, for the threads from `Position` on. The end of the copy of `Latch` goes
  /// to `Next`.
  void emit(llvm::ArrayRef<llvm::BasicBlock *> Blocks, const llvm::BasicBlock *Latch,
            llvm::AllocaInst *Position, llvm::BasicBlock *Next);
  /// Adds the vector body's copies of the accesses in `Unrecorded`.
  void addAccesses(llvm::ArrayRef<GlobalAccess> Unrecorded, llvm::SmallVectorImpl<GlobalAccess> &All) const;
  llvm::BasicBlock *header() const { return Header; }
  llvm::ArrayRef<LaneExit> exits() const { return Exits; }
  unsigned width() const { return Width; }
  /// A value of the loop for the lanes at an exit: a vector, or a scalar if uniform.
  llvm::Value *keep(llvm::IRBuilder<> &B, llvm::Value *V, const LaneExit &At);

private:
  void copy(llvm::Instruction &I);
  void copyScalar(llvm::Instruction &I, const Variation &S);
  void copyVector(llvm::Instruction &I);
  void copyLoad(llvm::LoadInst &I);
  void copyStore(llvm::StoreInst &I);
  void copyCall(llvm::CallInst &I);
  bool copyRecord(llvm::CallInst &I);
  void accumulate(llvm::StoreInst &I, const Accumulation &A);
  void end(llvm::BasicBlock &Block);
  void diverge(llvm::BasicBlock &Block, llvm::BranchInst &Branch);
  void check(llvm::BasicBlock &Block, llvm::Instruction &Checked);
  void fillPhis();
  llvm::Value *stepOf(llvm::Instruction &I, const Variation &S);
  llvm::Value *first(llvm::Value *V);
  llvm::Value *lane(llvm::Value *V, unsigned Number);
  llvm::Value *vector(llvm::Value *V);
  llvm::Value *spread(llvm::IRBuilder<> &B, const Lanes &Of);
  llvm::Value *moved(llvm::IRBuilder<> &B, llvm::Value *First, llvm::Value *Step, uint64_t Times);
  llvm::VectorType *wide(llvm::Type *T) const;

  Lowering &L;
  const VectorPlan &Plan;
  const llvm::PHINode &X;
  llvm::Instruction *Outside; // runs once before the loop
  unsigned Width;
  llvm::BasicBlock *Header = nullptr;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> Blocks;
  llvm::DenseMap<const llvm::Value *, Lanes> Known;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Vectors; // of affine values, and of values from outside
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>> Filled; // of the loop and of the copy
  llvm::SmallVector<LaneExit> Exits;
  llvm::DenseMap<const llvm::Instruction *, llvm::Instruction *> Accesses;
  std::unique_ptr<llvm::IRBuilder<>> Builder;
};

} // namespace gpuprof::cpu
#endif
