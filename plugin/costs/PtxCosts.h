// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The costs of the instructions of an inline PTX statement.
#ifndef GPUPROF_COSTS_PTXCOSTS_H
#define GPUPROF_COSTS_PTXCOSTS_H

#include "costs/Costs.h"
#include "ptx/Ptx.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace gpuprof {

/// The cost of one executed instruction.
struct PtxCost {
  InstructionCost Whole; // with the maximum of bytes
  /// A number of bytes in a register, or a predicate of an asynchronous copy suppressing reads of its source.
  struct {
    std::string Operand; // empty: the instruction has none
    uint64_t Most = 0;   // bytes; 0: any number
    llvm::SmallVector<CostClass, 2> PerByte;
  } Size;
};

PtxCost costOfPtx(const llvm::CallBase &Call, const ptx::Instruction &I);

/// Notes in the module whether the bytes expected by its barriers are those of copies by tensor maps. Such a
/// copy's box is in a descriptor, but a barrier is told its bytes. The statement holds if the module's barriers
/// expect nothing else, and each copy goes to one block. Must run before costs are asked for.
void noteTensorCopies(llvm::Module &M);

/// The number of executions of an instruction for one of its statement, and the pass counting it.
enum class PtxFlow : char {
  Always = '1',      // once: the statement's cost has it
  Conditional = 'c', // conditional costs have it (ConditionalCosts.h)
  Sized = 's',       // once; conditional costs have its bytes
  Unknown = '?',     // once at most: the statement's cost has it, as an assumption
};

/// The flow of a statement's instructions. Nothing is known of a statement not yet processed by
/// ConditionalCosts.
std::optional<std::vector<PtxFlow>> flowOfPtx(const llvm::CallBase &Call);
void setFlowOfPtx(llvm::CallBase &Call, llvm::ArrayRef<PtxFlow> Flow);

/// The cost of an inline assembly.
InstructionCost costOfPtx(const llvm::CallBase &Call);

} // namespace gpuprof
#endif
