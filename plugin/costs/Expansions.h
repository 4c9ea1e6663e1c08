// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine executes for operations that it has no instruction for: the plugin's half of the hardware
// check.
#ifndef GPUPROF_COSTS_EXPANSIONS_H
#define GPUPROF_COSTS_EXPANSIONS_H

#include "costs/Contractions.h"
#include "costs/Costs.h"
#include "costs/Foldings.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace gpuprof {

namespace ptx {
struct Instruction;
} // namespace ptx

/// Machine instructions of one execution, in the classes expand_… (Expansions.def). They stand beside
/// costOf(), which counts the operation itself and whose result is Counted: no total has them.
InstructionCost expansionOf(const llvm::Instruction &I, const InstructionCost &Counted, const Contractions &C,
                            const Foldings &Folded);

/// The same of one instruction of an inline PTX statement, which is executed under a condition.
InstructionCost expansionOf(const llvm::CallBase &Statement, const ptx::Instruction &I, const InstructionCost &Counted);

/// Prints the expansion of every instruction that has one.
class ExpansionsPrinterPass : public llvm::PassInfoMixin<ExpansionsPrinterPass> {
public:
  ExpansionsPrinterPass(llvm::raw_ostream &OS, ContractionMode Mode) : OS(OS), Mode(Mode) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
  ContractionMode Mode;
};

} // namespace gpuprof
#endif
