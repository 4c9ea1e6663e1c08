// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directives in device code: markers become directive calls kept by the optimiser, and those become counters.
#ifndef GPUPROF_DIRECTIVES_DIRECTIVELOWERING_H
#define GPUPROF_DIRECTIVES_DIRECTIVELOWERING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>
#include <string>

namespace llvm {
class CallInst;
class DILocation;
class Function;
class Module;
} // namespace llvm

namespace gpuprof {

/// The description of the scope around a directive's evaluation.
constexpr llvm::StringLiteral DirectiveScope = "kind=directive";

/* ---- At pipeline start ------------------------------------------------------------------------------------ */

/// Turns the markers of directives into directive calls.
void lowerDirectives(llvm::Module &M);
/// Adds directive calls at the start of a region with steps, and before its `Exits`. There the thread returns
/// to its former step: none, unless the region is entered by recursion.
void addEndsOfSteps(llvm::CallInst &Enter, llvm::ArrayRef<llvm::CallInst *> Exits);
/// True if a call is the marker of `step`.
bool isStepMarker(const llvm::Instruction &I);

/* ---- At its end ------------------------------------------------------------------------------------------- */

/// Cost: no directive, but the work of an inline PTX statement for some of the threads (ConditionalCosts.h).
enum class DirectiveKind { Count, Spike, Synapse, Step, BeginOfSteps, EndOfSteps, Cost };

inline bool isOfSteps(DirectiveKind Kind) {
  return Kind == DirectiveKind::Step || Kind == DirectiveKind::BeginOfSteps || Kind == DirectiveKind::EndOfSteps;
}

struct DirectiveCall {
  DirectiveKind Kind;
  llvm::StringRef Name; ///< of a count; a synapse's sum; for a cost, the cost of one unit
};

/// The directive of a call, or nothing.
std::optional<DirectiveCall> asDirectiveCall(const llvm::Instruction &I);
/// True if a call ends a step, or the code before a step.
inline bool switchesStep(const llvm::Instruction &I) {
  const std::optional<DirectiveCall> Value = asDirectiveCall(I);
  return Value && (Value->Kind == DirectiveKind::Step || Value->Kind == DirectiveKind::EndOfSteps);
}
/// True if a call adds nothing, and its counter is dispensable.
bool needsNoCounter(const llvm::CallInst &Call, const DirectiveCall &Directive);
/// The records of the sheet, one for each counter needed by the directive.
llvm::ArrayRef<llvm::StringLiteral> directiveRecords(DirectiveKind Kind);
/// The amounts added to each of these counters by one execution.
llvm::SmallVector<llvm::Value *, 3> directiveAmounts(llvm::IRBuilder<> &Builder, llvm::CallInst &Call, DirectiveKind Kind);
/// Adds a directive call of kind Cost, for work at this place.
void createCostCall(llvm::Instruction &Before, const llvm::DebugLoc &Where, llvm::StringRef Name, llvm::Value *Amount);
/// Erases uncounted directive calls, with operands needed by them alone.
void eraseDirectiveCalls(
    llvm::Module &M, llvm::function_ref<bool(const llvm::CallInst &)> Which = [](auto &) { return true; });
/// Erases a call, and instructions needed by its operands alone.
void eraseWithOperands(llvm::CallInst &Call);

/// Marks an instruction as no work of the kernel's.
void markOwn(llvm::Instruction &I);
/// True if an instruction belongs to a directive and not to the kernel's own work. It is in a directive's
/// scope, and its result has no use outside.
bool isDirectiveOnly(const llvm::Instruction &I);
/// True if steps may change in the instruction: it switches them, or calls a function possibly doing so.
bool maySwitchStep(const llvm::Instruction &I);

} // namespace gpuprof
#endif
