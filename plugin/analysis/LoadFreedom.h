// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads that the code generator or ptxas makes otherwise than IR has them, as found in machine code for sm_90.
#ifndef GPUPROF_ANALYSIS_LOADFREEDOM_H
#define GPUPROF_ANALYSIS_LOADFREEDOM_H

#include "costs/Costs.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Instruction;
class LoadInst;
} // namespace llvm

namespace gpuprof {

class LaneSharing;

class LoadFreedom {
public:
  /// With Analyses, also the loads that LLVM's vectorizer of loads makes wider for the target. They must belong to
  /// a pass manager of the function's module. The function stays as it is.
  LoadFreedom(llvm::Function &F, const LaneSharing &Sharing, llvm::FunctionAnalysisManager *Analyses);

  /// Bytes in the classes expand_…_load_…. A load may have been merged with an earlier one or moved before a loop
  /// (…_less); the end of the block before that loop then loads (…_behind). Of a group of loads the first has the
  /// bytes of wider instructions: possible ones (…_wider), certain ones (…_filled).
  InstructionCost of(const llvm::Instruction &I) const;

private:
  void add(const llvm::Instruction &I, CostClass Class, uint64_t Bytes) {
    if (Bytes > 0)
      Known[&I].push_back({Class, Bytes});
  }
  void addMoved(const llvm::LoadInst &Load, uint64_t Bytes, const LaneSharing &Sharing, const llvm::Instruction *Before,
                uint64_t Times);

  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<std::pair<CostClass, uint64_t>, 2>> Known;
};

/// Prints the result of of() for each instruction with one.
class LoadFreedomPrinterPass : public llvm::PassInfoMixin<LoadFreedomPrinterPass> {
public:
  explicit LoadFreedomPrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

} // namespace gpuprof
#endif
