// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sharing of bytes between lanes of a warp in an access: the hardware's counters count shared bytes once.
#ifndef GPUPROF_ANALYSIS_LANESHARING_H
#define GPUPROF_ANALYSIS_LANESHARING_H

#include "costs/Costs.h"

#include "llvm/ADT/DenseSet.h"

#include <memory>

namespace llvm {
class BasicBlock;
class Function;
class Value;
class raw_ostream;
} // namespace llvm

namespace gpuprof {

class WarpUniformity;

/// The addresses of one function's accesses as functions of the thread's number in its block. Valid until the
/// function is changed.
class LaneSharing {
public:
  LaneSharing(llvm::Function &F, const WarpUniformity &U);
  ~LaneSharing();

  /// For each class of bytes in `Cost`, the cost of `I`: as many bytes in the class naming the pattern
  /// (lanes_…). Nothing if no two lanes of a warp share an address for any shape of the block. Also adds the
  /// bytes of generic instructions (generic_…).
  InstructionCost of(const llvm::Instruction &I, const InstructionCost &Cost) const;

private:
  class Addresses;
  std::unique_ptr<Addresses> Known;
};

/// Prints the result of of() for each access.
class LaneSharingPrinterPass : public llvm::PassInfoMixin<LaneSharingPrinterPass> {
public:
  explicit LaneSharingPrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

} // namespace gpuprof
#endif
