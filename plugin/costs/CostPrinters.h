// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tests see of costs: of each instruction of a module, and of each intrinsic that LLVM knows.
#ifndef GPUPROF_COSTS_COSTPRINTERS_H
#define GPUPROF_COSTS_COSTPRINTERS_H

#include "costs/Contractions.h"

#include "llvm/IR/PassManager.h"

namespace gpuprof {

/// Prints the cost of every instruction that has one, and what is uncounted.
class CostsPrinterPass : public llvm::PassInfoMixin<CostsPrinterPass> {
public:
  CostsPrinterPass(llvm::raw_ostream &OS, ContractionMode Mode) : OS(OS), Mode(Mode) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
  ContractionMode Mode;
};

/// Prints for each intrinsic of this LLVM that device code may have whether the table has a row for it and,
/// where its type says all, what a call costs.
class IntrinsicsPrinterPass : public llvm::PassInfoMixin<IntrinsicsPrinterPass> {
public:
  explicit IntrinsicsPrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

} // namespace gpuprof
#endif
