// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values live across cuts: kept in memory, in arrays of one element a thread, or computed again.
#ifndef GPUPROF_WORKITEM_KEPTVALUES_H
#define GPUPROF_WORKITEM_KEPTVALUES_H

#include "workitem/FormedBody.h"
#include "llvm/ADT/MapVector.h"

namespace gpuprof::cpu {

/// The values of a body in its parallel regions.
class KeptValues {
public:
  explicit KeptValues(FormedBody &Body);
  /// Reads of the thread's state are hoisted to once a block if uniform.
  void hoistState();
  /// A value from one of several parallel regions is stored to memory by each of them.
  void lowerPhis(ParallelRegion &R);
  /// Replaces the uses of values of other parallel regions.
  void lowerUses();
  /// Called functions and the emulator's messages read the thread's position from its state.
  void keepPosition(ParallelRegion &R);

  /// True if the value is available unchanged in all parallel regions.
  bool isOutside(const llvm::Value *V) const;
  bool differs(const llvm::Value *V) const {
    return Given.contains(V) ? !Body.Variations.isUniform(V) : !Alike.contains(V);
  }
  /// The running thread's value in a parallel region.
  llvm::Value *here(ParallelRegion &R, llvm::Value *V);
  /// A uniform value, behind the last iteration.
  llvm::Value *whole(llvm::Value *V, llvm::IRBuilder<> &B);
  /// The array of a thread's value.
  llvm::AllocaInst *elements(llvm::Value *V);
  /// A value that comes in an array.
  void setElements(llvm::Value *V, llvm::AllocaInst *Array) { Arrays[V] = Array; }
  /// A new value that is uniform.
  void setUniform(const llvm::Value *V) { Alike.insert(V); }

private:
  bool isCheap(const llvm::Value *V, unsigned Depth) const;
  bool sharesArray(const llvm::PHINode &Phi) const;
  llvm::Value *computeHere(ParallelRegion &R, llvm::Instruction &I);
  llvm::Value *position(ParallelRegion &R, Field Which);
  llvm::AllocaInst *variables(const llvm::AllocaInst &Variable);
  llvm::AllocaInst *single(llvm::Value *V);
  ParallelRegion *regionOfUse(const llvm::Use &U) const;

  FormedBody &Body;
  llvm::DenseMap<llvm::Value *, llvm::AllocaInst *> Arrays, Singles; // the array or memory of a kept value
  llvm::DenseMap<const llvm::Value *, Field> Positions; // this pass's values of thread and block indices
  llvm::DenseSet<const llvm::Value *> Given;            // the kernel's own instructions
  llvm::DenseSet<const llvm::Value *> Alike;            // uniform values of this pass
  llvm::DenseMap<std::pair<ParallelRegion *, llvm::Value *>, llvm::Value *>
      Known; // values of other parallel regions, loaded in a parallel region
  llvm::MapVector<unsigned, llvm::Value *> Fields; // uniform fields of the state
};

} // namespace gpuprof::cpu
#endif
