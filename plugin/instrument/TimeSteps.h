// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps in kernels: a thread's work in a time step is added to the step's own lines of counters (abi.h).
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

/// Begins a new block wherever steps may have changed: each block then lies in one step.
void splitAtTimeSteps(llvm::Module &M);

/// The data of a thread in its frame, for called functions, too. A level is a region with steps.
///   uint64_t counts[Groups]         all counts of the thread
///   uint64_t codes[Levels]          the thread's present step, see codeOfStep()
///   uint64_t marks[Levels][Groups]  the counts at the level's last switch: the excess belongs to the step
struct ThreadCounts {
  llvm::Value *Frame = nullptr; ///< generic pointer
  unsigned Groups = 0, Levels = 0;

  static uint64_t elements(unsigned Groups, unsigned Levels) {
    return Groups + Levels * (uint64_t(Groups) + 1);
  }
  llvm::Value *code(llvm::IRBuilder<> &Builder, unsigned Level) const;
  llvm::Value *marks(llvm::IRBuilder<> &Builder, unsigned Level) const;
};

/// The number of a step in a frame: 0 is none.
llvm::Value *codeOfStep(llvm::IRBuilder<> &Builder, llvm::Value *Step);

/// Emits code at Builder's position, adding counts since the level's last switch to the thread's present
/// step. `Base` is the address of the kernel's counters (i64, 0: do not count), `Slot` the thread's slot
/// (i32).
void emitTimeStepFlush(llvm::IRBuilder<> &Builder, const ThreadCounts &Counts, unsigned Level, llvm::Value *Base,
                   llvm::Value *Slot);

} // namespace gpuprof
#endif
