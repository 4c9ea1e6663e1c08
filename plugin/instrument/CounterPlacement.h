// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where in a function a block's executions are added up: in the block, or all at once before the loops around
// it.
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

/// No limit on what a thread counts is known.
constexpr uint64_t Unlimited = ~uint64_t(0);

struct CounterSite {
  llvm::BasicBlock *Block = nullptr;  // in which is added
  const llvm::SCEV *Amount = nullptr; // i64, at the block's end; null: one, at its beginning
  uint64_t Most = Unlimited;          // what a call of the function adds here at most
};

class CounterPlacement {
public:
  /// May give loops preheaders: until the last place is known nothing else may change the function's blocks.
  explicit CounterPlacement(llvm::Function &F) : F(F) {}

  /// The outermost place at which it is known how often the block will run.
  CounterSite outermost(llvm::BasicBlock &BB);
  /// The block itself.
  CounterSite inside(llvm::BasicBlock &BB);
  /// Emits the amount; null: there is none.
  llvm::Value *expand(const CounterSite &Place);

private:
  LoopAnalyses &analyses();
  const llvm::SCEV *executions(llvm::Loop &L, const llvm::BasicBlock &BB, uint64_t &Most);
  uint64_t mostTurns(const llvm::Loop &L);
  bool isCheap(const llvm::SCEV &Amount, llvm::BasicBlock &BB);
  uint64_t mostExecutions(const llvm::BasicBlock &BB);

  llvm::Function &F;
  std::unique_ptr<LoopAnalyses> Analyses; // made when the first block that may repeat asks
  bool IsReducible = true;
};

} // namespace gpuprof
#endif
