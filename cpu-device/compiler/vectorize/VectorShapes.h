// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape of each value of a loop over threads: how it varies from lane to lane.
#ifndef GPUPROF_VECTORIZE_VECTORSHAPES_H
#define GPUPROF_VECTORIZE_VECTORSHAPES_H

#include "memtrace/GlobalAccesses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace gpuprof::cpu {

/// How a value varies from lane to lane.
struct VectorShape {
  enum Kind {
    Unknown, // not yet
    Uniform,
    Affine,  // rises by the constant Step from lane to lane; addresses in bytes
    Strided, // rises by a uniform number
    Varying
  } Is = Unknown;
  int64_t Step = 0;

  bool isLinear() const { return Is == Affine || Is == Strided; }
  bool operator==(const VectorShape &Other) const { return Is == Other.Is && Step == Other.Step; }
};

/// Lanes of the widest strip.
constexpr unsigned WidestStrip = 32;

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

/// The shapes of the values of a loop over threads, as long as its lanes do not diverge.
class VectorShapes {
public:
  VectorShapes(const llvm::Loop &Threads, const llvm::PHINode &X, llvm::LoopInfo &Loops,
              llvm::ArrayRef<GlobalAccess> Unrecorded);
  /// False: the loop cannot be vectorised, or would gain too little.
  bool find();
  VectorShape of(const llvm::Value *V) const;
  /// Extensions whose operand must not wrap around within a strip. Run time checks it.
  const llvm::SmallSetVector<llvm::Instruction *, 4> &checked() const { return Checked; }
  /// Branches at which lanes may diverge.
  const llvm::SmallSetVector<llvm::Instruction *, 4> &divergent() const { return Divergent; }
  const Accumulation *accumulation(const llvm::StoreInst &S) const;
  /// Part of an accumulation, or of no effect.
  bool isSkipped(const llvm::Instruction &I) const { return Skipped.contains(&I); }
  /// Do the lanes access neighbouring elements?
  bool isContiguous(const llvm::Value *Pointer, const llvm::Type *Element) const;
  /// The most values that a lane carries from iteration to iteration of a loop of its own.
  unsigned mostCarried() const { return MostCarried; }
  unsigned instructions() const { return Count; }
  /// Do loops within the threads gather or scatter?
  bool gathers() const { return Gathers; }

private:
  VectorShape transfer(const llvm::Instruction &I) const;
  VectorShape sum(VectorShape A, VectorShape B, int64_t Sign) const;
  VectorShape scaled(const llvm::Instruction &I, unsigned Of, unsigned By, bool IsShift) const;
  VectorShape address(const llvm::GetElementPtrInst &I) const;
  VectorShape joined(const llvm::PHINode &I) const;
  VectorShape ofWarpIndex(const llvm::Instruction &I) const;
  bool allUniform(const llvm::Instruction &I) const;
  bool isExact(const llvm::Value *V, bool Signed, unsigned Depth) const;
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
  const llvm::DataLayout &Layout;
  llvm::DenseMap<const llvm::Value *, VectorShape> Shapes;
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
