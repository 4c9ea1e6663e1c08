// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs of inline PTX that depend on a predicate or on a number of bytes in a register.
#ifndef GPUPROF_INSTRUMENT_CONDITIONALCOSTS_H
#define GPUPROF_INSTRUMENT_CONDITIONALCOSTS_H

#include "costs/Costs.h"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallInst;
class Instruction;
class Module;
} // namespace llvm

namespace gpuprof {

struct CountPlan;

/// Before statements of inline PTX whose instructions are executed, or move bytes, as operands say: adds
/// directive calls (DirectiveKind::Cost) of what that comes to, and marks the statements, so that their own costs
/// leave it out. `Accesses`: also adds calls of AccessMarker, for statements of which every address in global
/// memory is known.
void addConditionalCosts(llvm::Module &M, bool Accesses);

/// What one unit of a directive call of that name costs.
InstructionCost conditionalCost(llvm::StringRef Name);

/// Erases the directive calls of costs that the plan does not count: those of ignored regions and of no kernel.
void eraseUnplannedCosts(llvm::Module &M, const CountPlan &Plan);

/// (pointer, bytes): global memory that the statement behind it accesses. Erased by removeSectorMarkers().
constexpr llvm::StringLiteral AccessMarker = "__gpuprof_asm_access";
bool isAccessMarker(const llvm::Instruction &I);
/// Whether such calls stand before a statement for all that it accesses in global memory.
bool hasAccessMarkers(const llvm::Instruction &I);
void eraseAccessMarkers(llvm::Module &M);

} // namespace gpuprof
#endif
