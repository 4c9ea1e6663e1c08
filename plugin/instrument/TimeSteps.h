// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps in kernels: what a thread does in a time step is added to the step's own lines of counters (abi.h).
#ifndef GPUPROF_INSTRUMENT_TIMESTEPS_H
#define GPUPROF_INSTRUMENT_TIMESTEPS_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Function;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace gpuprof {

/// Whether steps may change in the instruction: it switches them, or calls a function that does or may.
bool maySwitchStep(const llvm::Instruction &I);
/// Lets a block begin wherever steps may have changed, so that each block lies in one step.
void splitAtTimeSteps(llvm::Module &M);

/// What a thread keeps in its frame, so that the functions it calls can use it. A level is a region with
/// steps.
///   uint64_t counts[Groups]         all that the thread has counted
///   uint64_t codes[Levels]          the step that the thread is in, see codeOfStep()
///   uint64_t marks[Levels][Groups]  the counts at the level's last switch: what is above is the step's
struct ThreadCounts {
  llvm::Value *Frame = nullptr; ///< generic pointer
  unsigned Groups = 0, Levels = 0;

  static uint64_t elements(unsigned Groups, unsigned Levels) {
    return Groups + Levels * (uint64_t(Groups) + 1);
  }
  llvm::Value *code(llvm::IRBuilder<> &Builder, unsigned Level) const;
  llvm::Value *marks(llvm::IRBuilder<> &Builder, unsigned Level) const;
};

/// How a frame holds the number of a step: 0 is none.
llvm::Value *codeOfStep(llvm::IRBuilder<> &Builder, llvm::Value *Step);

/// Emits, where Builder stands: what was counted since the level's last switch is added to the step the
/// thread is in. `Base` is the address of the kernel's counters (i64, 0: do not count), `Slot` the thread's
/// slot (i32).
void emitTimeStepFlush(llvm::IRBuilder<> &Builder, const ThreadCounts &Counts, unsigned Level, llvm::Value *Base,
                   llvm::Value *Slot);

} // namespace gpuprof
#endif
