// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts a kernel at its convergent operations into parallel regions.
#ifndef GPUPROF_WORKITEM_PARALLELREGIONS_H
#define GPUPROF_WORKITEM_PARALLELREGIONS_H

#include "workitem/ThreadRanges.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include <memory>

namespace gpuprof::cpu {

/// A divergent region: part of a kernel skipped by some threads. For them the branch at the end of `Branch`
/// goes to `Join` at once.
struct DivergentRegion {
  llvm::BasicBlock *Branch = nullptr, *Inside = nullptr, *Join = nullptr;
  bool OnTrue = false; // a true condition leads inside
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> Blocks;
  DivergentRegion *Outer = nullptr;
  bool EndsAtReturn = false; // the threads skipping it have returned
  bool HasWarpOps = false;   // directly, not in a nested divergent region
  // If the region does not end at the return: the nearest enclosing one ending there. Its mask names the
  // returned threads.
  DivergentRegion *Alive = nullptr;
  bool MaskIsRead = false;          // this region is another's Alive
  llvm::CallInst *WarpOp = nullptr; // a full-warp operation directly inside, or null
  RangeTerms Range;                 // not empty: the threads inside are these ranges of indices
  llvm::AllocaInst *Low[3] = {}, *Count[3] = {}; // of the ranges along z, y and x, i32; null: all
  llvm::AllocaInst *Mask = nullptr; // i8 a thread: inside; ranges have it for full-warp operations
  llvm::AllocaInst *Any = nullptr;  // i8: set if any thread is inside
  // The address of the mask; null at run time if each warp is inside or outside as a whole.
  llvm::AllocaInst *Parted = nullptr;
  // arrays in which threads inside read one another's elements
  llvm::SmallSetVector<llvm::AllocaInst *, 4> Shuffled;
};

/// True if the ranges of the region, or of one around it, are smaller than the block along z, y or x.
bool isBounded(const DivergentRegion &D, unsigned Along);

/// A parallel region: the code between two cuts. All threads of the block (of the divergent region) enter at
/// `Entry`, and leave at the end of `Exit`, or all to `Next`.
struct ParallelRegion {
  llvm::BasicBlock *Entry = nullptr, *Exit = nullptr, *Next = nullptr;
  llvm::SmallSetVector<llvm::BasicBlock *, 8> Blocks;
  DivergentRegion *In = nullptr;
};

/// The parallel regions of a body, in the order of discovery.
class ParallelRegions {
public:
  ParallelRegions(llvm::Function &Body, const llvm::PostDominatorTree &After,
                  const llvm::DominatorTree &Before, const ThreadVariation &Variations)
      : Body(Body), After(After), Before(Before), Variations(Variations) {}
  /// False: the control flow cannot be cut.
  bool find(const llvm::LoopInfo &Loops);
  /// The region of a block; null: unreachable.
  ParallelRegion *of(const llvm::BasicBlock *Block) const { return Owner.lookup(Block); }
  bool isEntry(llvm::BasicBlock *Block) const { return Entries.contains(Block); }
  /// The divergent region beginning at the end of this block, or null.
  DivergentRegion *divergentAt(const llvm::BasicBlock *Block) const { return Begins.lookup(Block); }
  void adopt(ParallelRegion &R, llvm::BasicBlock *New) {
    R.Blocks.insert(New);
    Owner[New] = &R;
  }

  std::vector<std::unique_ptr<ParallelRegion>> All;
  std::vector<std::unique_ptr<DivergentRegion>> Divergent;

private:
  using Exits = llvm::SmallPtrSet<llvm::BasicBlock *, 4>;
  bool refuse(llvm::StringRef Why) const;
  bool cut();
  bool flood();
  bool cutAtGuard(const llvm::LoopInfo &Loops);
  bool isGuard(const ParallelRegion &R, llvm::BasicBlock *Block) const;
  bool isCheapToKeep(const llvm::Value *V, unsigned Depth) const;
  enum class Result { Done, Again, Failed };
  Result exitsOf(ParallelRegion &R);
  bool cutAt(llvm::BasicBlock *Block);
  bool beginDivergent(llvm::BasicBlock *Block);
  bool divergentAreSound();
  void describe(DivergentRegion &D);
  DivergentRegion *innermost(const llvm::BasicBlock *Block) const;

  llvm::Function &Body;
  const llvm::PostDominatorTree &After;
  const llvm::DominatorTree &Before;
  const ThreadVariation &Variations;
  llvm::SetVector<llvm::BasicBlock *> Entries;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Cuts; // regions end at their terminators
  llvm::DenseMap<const llvm::BasicBlock *, ParallelRegion *> Owner;
  llvm::DenseMap<const llvm::BasicBlock *, DivergentRegion *> Begins;
};

} // namespace gpuprof::cpu
#endif
