// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs of inline PTX depending on a predicate or on a number of bytes in a register.
#ifndef GPUPROF_DIRECTIVES_CONDITIONALCOSTS_H
#define GPUPROF_DIRECTIVES_CONDITIONALCOSTS_H

#include "costs/Costs.h"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallInst;
class Instruction;
class Module;
} // namespace llvm

namespace gpuprof {

/// For statements of inline PTX with instructions executed, or bytes moved, depending on operands. Adds
/// directive calls (DirectiveKind::Cost) with this cost before them, and marks the statements to exclude it
/// from their own costs. `Accesses`: also adds calls of AccessMarker, for statements with all addresses in
/// global memory known.
void addConditionalCosts(llvm::Module &M, bool Accesses);

/// The cost of one unit of a directive call with this name.
InstructionCost conditionalCost(llvm::StringRef Name);

/// (pointer, bytes): global memory accessed by the following statement. Erased by removeSectorMarkers().
constexpr llvm::StringLiteral AccessMarker = "__gpuprof_asm_access";
bool isAccessMarker(const llvm::Instruction &I);
/// True if such calls before a statement cover all its accesses to global memory.
bool hasAccessMarkers(const llvm::Instruction &I);
void eraseAccessMarkers(llvm::Module &M);

} // namespace gpuprof
#endif
