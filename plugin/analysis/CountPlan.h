// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What will be counted: decided before anything is changed.
#ifndef GPUPROF_ANALYSIS_COUNTPLAN_H
#define GPUPROF_ANALYSIS_COUNTPLAN_H

#include "analysis/CostSheet.h"
#include "instrument/DirectiveLowering.h"

#include <utility>
#include <vector>

namespace llvm {
class BasicBlock;
class CallInst;
class Function;
class Module;
} // namespace llvm

namespace gpuprof {

struct DeviceOptions;

/// A directive: its counters are the instance's from First on; of a switch of steps, First is the level.
struct CountedValue {
  llvm::CallInst *Call;
  DirectiveKind Kind;
  size_t First;
  int Region;
};

/// A function as one kernel runs it: the kernel itself, or a function it calls that was not inlined, once for
/// each region path it is called from.
struct FunctionInstance {
  llvm::Function *F = nullptr;
  int Region = CostSheet::None;                                  // around all of it
  size_t Caller = 0;                                             // instance by which it was found
  std::vector<std::pair<llvm::BasicBlock *, unsigned>> Counters; // block (null: values), group of the kernel
  std::vector<CountedValue> Values;
  std::vector<std::pair<llvm::CallInst *, size_t>> Calls;        // call, instance it is to reach
  std::vector<std::pair<llvm::CallInst *, unsigned>> OtherCalls; // of functions of other units, number in the sheet
  bool SwitchesSteps = false;                                    // itself or in what it calls
};

struct KernelPlan {
  std::vector<FunctionInstance> Instances; // [0] is the kernel
  unsigned Groups = 0;
  unsigned Regions = 0; // that occur in it
  bool IsFunction = false; // not a kernel, but a function that kernels of other units call
  unsigned Levels = 0;  // regions that are divided into steps
  bool IsClone = false;  // runs beside the kernel, so that its registers cost the kernel nothing
  bool InBlocks = false; // every block is counted in itself, which is what all else can be compared with
  llvm::Function &kernel() const { return *Instances[0].F; }
};

struct CountPlan {
  std::vector<KernelPlan> Kernels; // in the order of the sheet
  CostSheet Sheet;
};

CountPlan planCounters(llvm::Module &M, const DeviceOptions &O);

} // namespace gpuprof
#endif
