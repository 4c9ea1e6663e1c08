// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of all counters, made before any change.
#ifndef GPUPROF_ANALYSIS_COUNTPLAN_H
#define GPUPROF_ANALYSIS_COUNTPLAN_H

#include "analysis/CostSheet.h"
#include "analysis/FlowRelations.h"
#include "directives/DirectiveLowering.h"

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

/// A directive: its counters are the instance's from First on; for a switch of steps, First is the level.
struct CountedValue {
  llvm::CallInst *Call;
  DirectiveKind Kind;
  size_t First;
  int Region;
};

/// A function as run by one kernel: the kernel itself, or an uninlined function called by it, once for each
/// calling region path.
struct FunctionInstance {
  llvm::Function *F = nullptr;
  int Region = CostSheet::None;                                  // around all of it
  size_t Caller = 0;                                             // the instance calling it first
  std::vector<std::pair<llvm::BasicBlock *, unsigned>> Counters; // block (null: values), group of the kernel
  std::vector<CountedValue> Values;
  std::vector<std::pair<llvm::CallInst *, size_t>> Calls;        // call, instance to be reached
  std::vector<std::pair<llvm::CallInst *, unsigned>> OtherCalls; // of functions of other units, number in the sheet
  bool SwitchesSteps = false;                                    // itself or in a callee
  std::vector<GroupSum> Relations;                               // between groups of its blocks
};

struct KernelPlan {
  std::vector<FunctionInstance> Instances; // [0] is the kernel
  unsigned Groups = 0;
  unsigned Regions = 0; // number of those occurring in it
  bool IsFunction = false; // not a kernel, but a function called by kernels of other units
  unsigned Levels = 0;  // regions divided into steps
  bool IsClone = false;  // runs beside the kernel: its registers cost the kernel nothing
  bool TakesCounters = false; // the kernel's last parameter is the address of its counters, or 0
  bool IsFormula = false; // a clone never run: each end of a thread calls a function with the counts (Formula.h)
  bool InBlocks = false; // every block is counted in itself, the reference for all other ways
  llvm::Function &kernel() const { return *Instances[0].F; }
};

struct CountPlan {
  std::vector<KernelPlan> Kernels; // in the order of the sheet
  CostSheet Sheet;
};

/// Analyses: null if loads stay as they are, as on the CPU device.
CountPlan planCounters(llvm::Module &M, const DeviceOptions &O, llvm::FunctionAnalysisManager *Analyses);

} // namespace gpuprof
#endif
