// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lanes of a warp an access serves from the same bytes: what the hardware's counters of bytes count
// once.
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

  /// For each class of bytes in `Cost`, which is that of `I`: as many bytes of the class that names the
  /// pattern (lanes_…), nothing where no two lanes of a warp have an address in common, whatever the block's
  /// shape is; and the bytes of generic instructions (generic_…).
  InstructionCost of(const llvm::Instruction &I, const InstructionCost &Cost) const;

private:
  class Addresses;
  std::unique_ptr<Addresses> Known;
};

/// Prints what of() says of each access.
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
