// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting kernels: beside an unchanged kernel, a clone computing only the number of runs of each block.
#ifndef GPUPROF_CLONES_CLONES_H
#define GPUPROF_CLONES_CLONES_H

#include "analysis/DeviceOptions.h"
#include "clones/CloneSlice.h"
#include "clones/GridOrder.h"
#include "clones/PointerOrigins.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace gpuprof {

struct KernelPlan;

/// The way of counting a kernel.
struct CountWay {
  enum Kind {
    InKernel,
    Free, ///< by a clone reading only ids and arguments: its counts can be remembered
    Light, ///< by a clone also reading memory, in launches not writing it; otherwise by an instrumented twin
    Twin  ///< by an instrumented twin, in the kernel's place; the kernel is as clang made it
  } How = InKernel;
  std::string Why;                  ///< in the kernel or a twin: reason against a clone, or nothing
  bool IsInMemory = false; ///< in the kernel or a twin: counters in the thread's memory, as registers are short
  unsigned Instructions = 0;        ///< of the clone, without those adding up counters
  unsigned Parameters = 0;          ///< of the kernel
  std::vector<CloneRead> Reads;     ///< parts of them read by the clone
  std::string Formula;              ///< of a free clone: finds the counts without it (Formula.h); or nothing
  unsigned FormulaSteps = 0;        ///< its instructions
  std::string WhyNoFormula;         ///< of a free clone: reason against it, or nothing
  bool Waits = false;               ///< the clone may begin while the kernel ends, and ends after it
  std::vector<PointersApart> Apart; ///< pointers required to lie apart in a launch counted by the clone
  PointerOrigins Loads;             ///< of a light clone: the pointers behind which it reads memory; nothing: also elsewhere
  PointerOrigins Stores;            ///< the pointers behind which the kernel may write; nothing: also elsewhere
  llvm::Function *TwinKernel = nullptr; ///< of a twin
  std::optional<uint64_t> CountersOffset; ///< of a twin whose last parameter is the address of its counters
};

class CloneMaker {
public:
  /// Puts the counters of a plan into its functions. True if the kernel's own are in the thread's memory.
  using Inserter = llvm::function_ref<bool(const KernelPlan &)>;

  CloneMaker(llvm::Module &M, llvm::ModuleAnalysisManager &Analyses, const DeviceOptions &O)
      : M(M), Analyses(Analyses), Choice(O.Count), ForCpu(O.ForCpu), Twins(O.Twins), OrdersGrids(ordersGrids(M)),
        LargestBlockOf(O.LargestBlockOf) {}

  /// Makes the kernel's clone or twin, with the name and the parameters of abi.h, if it is to be counted so.
  /// `Bases` is the unit's array of counter addresses. The kernel itself is left alone; a light clone has an
  /// instrumented twin of the kernel beside it.
  CountWay make(const KernelPlan &Plan, llvm::GlobalVariable &Bases, Inserter Insert);

private:
  CountWay choose(const KernelPlan &Plan, llvm::GlobalVariable &Bases, Inserter Insert);
  CountWay makeClone(const KernelPlan &Plan, llvm::GlobalVariable &Bases, Inserter Insert);
  void addFormula(const KernelPlan &Plan, CountWay &Way, Inserter Insert);
  CountWay attemptClone(const KernelPlan &Plan, llvm::GlobalVariable &Bases, Inserter Insert, const OwnVariables &Keep,
                        OwnVariables &Missing);
  bool keepsKernels() const;
  bool wantsTwin(const KernelPlan &Plan) const;
  bool mayBeRefused(const KernelPlan &Plan) const;

  llvm::Module &M;
  llvm::ModuleAnalysisManager &Analyses;
  CountChoice Choice;
  bool ForCpu;
  bool Twins;
  bool OrdersGrids; ///< the module as it was: clones wait for the grid before them
  std::function<unsigned(llvm::StringRef Kernel)> LargestBlockOf;
};

} // namespace gpuprof
#endif
