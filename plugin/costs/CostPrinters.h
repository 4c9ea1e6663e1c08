// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs as printed for tests: of each instruction of a module, and of each intrinsic known to LLVM.
#ifndef GPUPROF_COSTS_COSTPRINTERS_H
#define GPUPROF_COSTS_COSTPRINTERS_H

#include "costs/Contractions.h"

#include "llvm/IR/PassManager.h"

namespace gpuprof {

/// Prints the cost of every instruction with one, and uncounted instructions.
class CostsPrinterPass : public llvm::PassInfoMixin<CostsPrinterPass> {
public:
  CostsPrinterPass(llvm::raw_ostream &OS, ContractionMode Mode) : OS(OS), Mode(Mode) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
  ContractionMode Mode;
};

/// Prints each intrinsic of this LLVM possible in device code, and if the table has a row for it. Adds the
/// cost of a call if the intrinsic's type suffices.
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
