// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place in a function for adding up a block's executions: in the block, or all at once before the loops
// around it.
#ifndef GPUPROF_INSTRUMENT_COUNTERPLACEMENT_H
#define GPUPROF_INSTRUMENT_COUNTERPLACEMENT_H

#include "analysis/LoopAnalyses.h"

#include <cstdint>
#include <memory>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class SCEV;
class Value;
} // namespace llvm

namespace gpuprof {

/// No limit of a thread's counts is known.
constexpr uint64_t Unlimited = ~uint64_t(0);

struct CounterSite {
  llvm::BasicBlock *Block = nullptr;  // the block with the addition
  const llvm::SCEV *Amount = nullptr; // i64, at the block's end; null: one, at its beginning
  uint64_t Most = Unlimited;          // maximum added here by one call of the function
};

class CounterPlacement {
public:
  /// May add preheaders to loops. Until the last place is known nothing else may change the function's
  /// blocks.
  explicit CounterPlacement(llvm::Function &F, bool AtAnyCost = false) : F(F), AtAnyCost(AtAnyCost) {}

  /// The outermost place with a known number of runs of the block.
  CounterSite outermost(llvm::BasicBlock &BB);
  /// The block itself.
  CounterSite inside(llvm::BasicBlock &BB);
  /// Emits the amount; null: there is none.
  llvm::Value *expand(const CounterSite &Place);

private:
  LoopAnalyses &analyses();
  const llvm::SCEV *executions(llvm::Loop &L, const llvm::BasicBlock &BB, uint64_t &Most);
  uint64_t mostTurns(const llvm::Loop &L);
  uint64_t mostDifferentNumbers(const llvm::Loop &L);
  bool isCheap(const llvm::SCEV &Amount, llvm::BasicBlock &BB);
  uint64_t mostExecutions(const llvm::BasicBlock &BB);

  llvm::Function &F;
  bool AtAnyCost; // amounts may need many operations
  std::unique_ptr<LoopAnalyses> Analyses; // made on the first query for a block possibly repeated
  bool IsReducible = true;
};

} // namespace gpuprof
#endif
