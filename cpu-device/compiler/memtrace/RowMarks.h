// Marks of unique bytes for a whole row of threads: those that differ in x only.
#ifndef GPUPROF_MEMTRACE_ROWMARKS_H
#define GPUPROF_MEMTRACE_ROWMARKS_H

#include "memtrace/GlobalAccesses.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include <optional>

namespace gpuprof::cpu {

/// A loop over the threads of a row.
struct ThreadRow {
  llvm::BasicBlock *Before = nullptr; // runs once before each row, and ends with a jump to First
  llvm::BasicBlock *First = nullptr;  // the loop's header
  llvm::PHINode *X = nullptr;         // 0, 1, …
  llvm::Value *Count = nullptr;       // i32, not 0
};

class RowMarks {
public:
  RowMarks(Lowering &L, const ThreadRow &Row, const llvm::DominatorTree &Before,
           const llvm::PostDominatorTree &After, const llvm::LoopInfo &Around);
  /// True: emit() will mark what this access touches.
  bool take(const GlobalAccess &A);
  /// To be called once, when all rows have taken what they can, with what was left: the analyses do not hold
  /// any more afterwards.
  void emit(llvm::ArrayRef<GlobalAccess> Left);

private:
  // Left < Bound, or Left <= Bound, where Left goes up by one from thread to thread; or, without Left, a
  // condition that is the same in the whole row.
  struct Condition {
    llvm::Value *Whole = nullptr;
    bool Wanted = true;
    llvm::Value *Left = nullptr, *Bound = nullptr;
    bool IsSigned = false, OrEqual = false;
  };
  // Accesses of one block at constant distances from one another, so close that no sector lies between them.
  struct Taken {
    GlobalAccess Access; // the first that was found
    llvm::SmallVector<Condition, 2> Conditions;
    const llvm::Value *Base = nullptr;              // they lie at Base + Low … Base + End
    int64_t Offset = 0, Low = 0, High = 0, End = 0; // of the first found; the lowest and highest; behind all
  };
  bool join(const GlobalAccess &A, const llvm::Value *Base, int64_t Offset);
  llvm::Value *start(llvm::IRBuilder<> &B, const Taken &T, llvm::Value *X);
  std::optional<int64_t> step(const llvm::Value *V, unsigned Depth = 0) const;
  std::optional<int64_t> stepOf(const llvm::Instruction &I, llvm::ArrayRef<int64_t> Steps) const;
  bool conditionsOf(const llvm::BasicBlock *Block, llvm::SmallVectorImpl<Condition> &Found) const;
  bool leadsTo(const llvm::BasicBlock *Way, const llvm::BasicBlock *Block) const;
  bool addCondition(llvm::Value *C, bool Wanted, llvm::SmallVectorImpl<Condition> &Found) const;
  llvm::Value *at(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Value *X);
  llvm::Value *wide(llvm::IRBuilder<> &B, llvm::Value *V, bool IsSigned);
  llvm::Value *limit(llvm::IRBuilder<> &B, const Condition &C, llvm::Value *Count);
  void require(llvm::IRBuilder<> &B, llvm::Value *Holds);
  void markEach(llvm::Instruction *Before);
  bool isShort(llvm::ArrayRef<GlobalAccess> Left) const;
  void addWholeRow(llvm::Instruction *End, llvm::Value *AllIn);

  Lowering &L;
  const ThreadRow &Row;
  const llvm::DominatorTree &Before;
  const llvm::PostDominatorTree &After;
  const llvm::LoopInfo &Around;
  const llvm::DataLayout &Layout;
  llvm::DenseSet<const llvm::Instruction *> Turns; // instructions of the loop
  std::vector<Taken> All;
  llvm::Value *First = nullptr, *Last = nullptr, *Distance = nullptr; // 0, Count - 1, the same in 64 bits
  llvm::Value *Even = nullptr; // nothing passed its largest number within the row; null: nothing can
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Value *>, llvm::Value *> Copies;
};

/// Marks what those accesses touch that repeat themselves in loops of their thread, before the loops, and
/// gives the others.
llvm::SmallVector<GlobalAccess> markLoops(Lowering &L, llvm::Function &F,
                                          llvm::ArrayRef<GlobalAccess> Accesses,
                                          llvm::ArrayRef<ThreadRow> Rows);

/// Marks what the accesses in `Wanted` touch, where it can for whole rows, else where they are.
void markSectors(Lowering &L, llvm::Function &F, llvm::ArrayRef<ThreadRow> Rows,
                 const llvm::SmallPtrSetImpl<const llvm::Instruction *> &Wanted);

/// Marks what all accesses touch where they are, by calls: slower, of less code.
void markSectorsByCalls(Lowering &L, llvm::Function &F);
} // namespace gpuprof::cpu
#endif
