// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directives in device code: markers become calls that the optimiser keeps, and those become counters.
#ifndef GPUPROF_INSTRUMENT_DIRECTIVELOWERING_H
#define GPUPROF_INSTRUMENT_DIRECTIVELOWERING_H

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

/// The description of the scope around what a directive evaluates.
constexpr llvm::StringLiteral DirectiveScope = "kind=directive";

/* ---- At pipeline start ------------------------------------------------------------------------------------ */

/// Turns the markers of directives into directive calls.
void lowerDirectives(llvm::Module &M);
/// Adds directive calls at the begin of a region with steps, and before its `Exits`: there the thread is again in
/// the step that it was in before, which is none unless the region is entered by recursion.
void addEndsOfSteps(llvm::CallInst &Enter, llvm::ArrayRef<llvm::CallInst *> Exits);
/// Whether a call is the marker of `step`.
bool isStepMarker(const llvm::Instruction &I);

/* ---- At its end ------------------------------------------------------------------------------------------- */

/// Cost: no directive, but what a statement of inline PTX does for some of the threads (ConditionalCosts.h).
enum class DirectiveKind { Count, Spike, Synapse, Step, BeginOfSteps, EndOfSteps, Cost };

inline bool isOfSteps(DirectiveKind Kind) {
  return Kind == DirectiveKind::Step || Kind == DirectiveKind::BeginOfSteps || Kind == DirectiveKind::EndOfSteps;
}

struct DirectiveCall {
  DirectiveKind Kind;
  llvm::StringRef Name; ///< of a count; of a synapse its sum; of a cost what one of it costs
};

/// What a call stands for, or nothing.
std::optional<DirectiveCall> asDirectiveCall(const llvm::Instruction &I);
/// Whether a call ends a step, or what lies before a step.
inline bool switchesStep(const llvm::Instruction &I) {
  const std::optional<DirectiveCall> Value = asDirectiveCall(I);
  return Value && (Value->Kind == DirectiveKind::Step || Value->Kind == DirectiveKind::EndOfSteps);
}
/// Whether a call adds nothing, and nobody would miss its counter.
bool needsNoCounter(const llvm::CallInst &Call, const DirectiveCall &Directive);
/// The records of the sheet, one a counter that the directive needs.
llvm::ArrayRef<llvm::StringLiteral> directiveRecords(DirectiveKind Kind);
/// What one execution adds to each of these counters.
llvm::SmallVector<llvm::Value *, 3> directiveAmounts(llvm::IRBuilder<> &Builder, llvm::CallInst &Call, DirectiveKind Kind);
/// Adds a directive call of kind Cost.
void createCostCall(llvm::Instruction &Before, llvm::StringRef Name, llvm::Value *Amount);
/// Erases the directive calls that nothing counts, with what only they need.
void eraseDirectiveCalls(
    llvm::Module &M, llvm::function_ref<bool(const llvm::CallInst &)> Which = [](auto &) { return true; });
/// Erases a call, and what only its operands need.
void eraseWithOperands(llvm::CallInst &Call);

/// Marks an instruction as no work of the kernel's.
void markOwn(llvm::Instruction &I);
/// Whether an instruction is a directive's and not the kernel's own work: it is in a directive's scope, and nothing
/// outside of it uses its result.
bool isDirectiveOnly(const llvm::Instruction &I);

} // namespace gpuprof
#endif
