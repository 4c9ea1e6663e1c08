// Directives in device code: markers become calls that the optimiser keeps, and those become counters.
#ifndef GPUPROF_IR_VALUES_H
#define GPUPROF_IR_VALUES_H

#include "llvm/ADT/ArrayRef.h"
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

/// Turns the markers of directives into value calls.
void lowerDirectives(llvm::Module &M);
/// Adds a value call before `Exit`: a region with steps ends here, and what follows belongs to none of them.
void addEndOfSteps(llvm::CallInst &Exit);
/// Whether a call is the marker of `step`.
bool isStepMarker(const llvm::Instruction &I);

/* ---- At its end ------------------------------------------------------------------------------------------- */

enum class ValueKind { Count, Spike, Step, EndOfSteps };

struct ValueCall {
  ValueKind Kind;
  llvm::StringRef Name; ///< of a count
};

/// What a call stands for, or nothing.
std::optional<ValueCall> asValueCall(const llvm::Instruction &I);
inline bool switchesStep(const llvm::Instruction &I) {
  const std::optional<ValueCall> Value = asValueCall(I);
  return Value && (Value->Kind == ValueKind::Step || Value->Kind == ValueKind::EndOfSteps);
}
/// Lets every switch of steps begin a block, so that each block lies in one step.
void splitAtSteps(llvm::Module &M);
/// The records of the sheet, one a counter that the directive needs.
llvm::ArrayRef<llvm::StringLiteral> valueRecords(ValueKind Kind);
/// What one execution adds to each of these counters.
llvm::SmallVector<llvm::Value *, 3> valueAmounts(llvm::IRBuilder<> &Builder, llvm::CallInst &Call, ValueKind Kind);
/// Erases the value calls that nothing counts.
void eraseValueCalls(llvm::Module &M);

/// Whether an instruction is a directive's and not the kernel's own work: it is in a directive's scope, and nothing
/// outside of it uses its result.
bool isDirectiveOnly(const llvm::Instruction &I);

/// Where the counts of steps lie: the kernel's array has, after its counts, the row of the thread's step (0: in none).
struct StepCounters {
  llvm::Value *Array = nullptr; ///< uint64_t[Groups + 1]
  llvm::Value *Base = nullptr;  ///< i64: address of the kernel's counters, 0 = do not count
  llvm::Value *Slot = nullptr;  ///< i32
  unsigned Groups = 0, RowLength = 0;
};

/// Emits before `Before`: what the array holds is added to the row of the thread's step, or to a slot if it is in none.
void emitStepFlush(llvm::Instruction &Before, const StepCounters &Counters);
/// The row of a step's number, as the array keeps it.
llvm::Value *rowOfStep(llvm::IRBuilder<> &Builder, llvm::Value *Step);

} // namespace gpuprof
#endif
