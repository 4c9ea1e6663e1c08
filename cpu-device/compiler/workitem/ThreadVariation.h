// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How values vary from thread to thread: the analysis behind loop formation, vectorisation and the sector
// trace.
#ifndef GPUPROF_WORKITEM_THREADVARIATION_H
#define GPUPROF_WORKITEM_THREADVARIATION_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Instructions.h"
#include <memory>
#include <optional>

namespace gpuprof::cpu {
struct Lowering;

/// How a value varies between the threads of a group. The order is that of the lattice.
struct Variation {
  enum Kind {
    Unknown, // not solved yet, or never executed
    Uniform,
    Affine,  // rises by the constant Step from thread to thread; addresses in bytes
    Strided, // rises by a uniform number
    Varying
  } Is = Unknown;
  int64_t Step = 0;

  bool isLinear() const { return Is == Affine || Is == Strided; }
  bool operator==(const Variation &Other) const { return Is == Other.Is && Step == Other.Step; }
};

/// The group of threads to compare.
enum class ThreadGroup {
  Block, // all threads of a block. Three indices count them: no value is affine.
  // Equal threadIdx.y and z. Sums wrapping around within a row count as affine: users check for wraparound.
  Row,
  Strip, // WidestStrip neighbours of a row, aligned to WidestStrip, that do not diverge.
};

/// Threads of the widest strip.
constexpr unsigned WidestStrip = 32;

/// The variation of the values of a body, or of a loop over the threads of a row. It stays valid for values
/// left alone by passes.
class ThreadVariation {
public:
  /// Between the threads of a block; the body runs one thread.
  ThreadVariation(llvm::Function &Body, const llvm::PostDominatorTree &After);
  /// Between the threads of a row, one an iteration of `Threads`.
  ThreadVariation(const llvm::Loop &Threads, const llvm::PHINode &X, const llvm::PostDominatorTree &After,
                  const llvm::LoopInfo &Loops);
  /// Between the threads of a strip.
  ThreadVariation(const llvm::Loop &Threads, const llvm::PHINode &X, const llvm::LoopInfo &Loops);

  Variation of(const llvm::Value *V) const;
  /// Equal in all threads of the group executing it together, or never executed.
  bool isUniform(const llvm::Value *V) const { return of(V).Is <= Variation::Uniform; }
  /// The constant distance from thread to thread, if there is one.
  std::optional<int64_t> step(const llvm::Value *V) const;
  /// True if the threads access neighbouring elements.
  bool isContiguous(const llvm::Value *Pointer, const llvm::Type *Element) const;
  /// True if the value provably does not wrap around on the way from its operands.
  bool isExact(const llvm::Value *V, bool Signed) const;
  /// True if the index of a warp or of a lane is uniform or affine only in strips that a warp holds whole: users
  /// check it.
  bool isWarpIndexOfSum(const llvm::Instruction &I) const;
  void print(llvm::raw_ostream &OS) const;

private:
  void solve(llvm::ArrayRef<llvm::BasicBlock *> Order);
  void update(const llvm::Instruction &I);
  void raise(const llvm::Instruction &I, Variation New);
  void diverge(llvm::BasicBlock &Block);
  void taint(llvm::BasicBlock &Block);
  bool covers(const llvm::BasicBlock *Block) const { return !Threads || Threads->contains(Block); }
  bool isSource(const llvm::Instruction &I) const;
  bool keepsSteps(const llvm::CastInst &I) const;
  Variation transfer(const llvm::Instruction &I) const;
  Variation sum(Variation A, Variation B, int64_t Sign) const;
  Variation scaled(const llvm::Instruction &I, unsigned Of, unsigned By, bool IsShift) const;
  Variation address(const llvm::GetElementPtrInst &I) const;
  Variation joined(const llvm::PHINode &I) const;
  Variation ofWarpIndex(const llvm::Instruction &I) const;
  bool isExact(const llvm::Value *V, bool Signed, unsigned Depth,
               llvm::SmallPtrSetImpl<const llvm::PHINode *> &Assumed) const;

  const ThreadGroup Group;
  llvm::Function &Body;
  const llvm::Loop *Threads = nullptr; // null: a block's
  const llvm::PHINode *X = nullptr;
  const llvm::PostDominatorTree *After = nullptr; // null: threads do not diverge
  std::unique_ptr<llvm::CycleInfo> Cycles;        // computed at the first divergence
  const llvm::DataLayout &Layout;
  llvm::DenseMap<const llvm::Value *, Variation> Known;
  // State of the solver: instructions in the order of execution, those due for a visit, and diverged
  // branches.
  std::vector<const llvm::Instruction *> Order;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Numbers;
  llvm::BitVector Due;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Diverged;
};

/// Prints the variation of the values of each kernel. A body running one thread is shown for a block. The
/// innermost loops of a body running all threads are shown for a row and for a strip.
void printThreadVariation(Lowering &L, llvm::raw_ostream &OS);

} // namespace gpuprof::cpu
#endif
