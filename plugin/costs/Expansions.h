// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code for operations without a machine instruction: the plugin's half of the hardware check.
#ifndef GPUPROF_COSTS_EXPANSIONS_H
#define GPUPROF_COSTS_EXPANSIONS_H

#include "costs/Contractions.h"
#include "costs/Costs.h"
#include "costs/Foldings.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace gpuprof {

class Sinking;

namespace ptx {
struct Instruction;
} // namespace ptx

/// Machine instructions of one execution, in the classes expand_… (Expansions.def). They are separate from
/// costOf(); it counts the operation itself and has the result Counted. No total contains them.
InstructionCost expansionOf(const llvm::Instruction &I, const InstructionCost &Counted, const Contractions &C,
                            const Foldings &Folded, const Sinking &Sunk);

/// The same for one instruction of an inline PTX statement, executed under a condition.
InstructionCost expansionOf(const llvm::CallBase &Statement, const ptx::Instruction &I, const InstructionCost &Counted);

/// Prints the expansion of every instruction with one.
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
