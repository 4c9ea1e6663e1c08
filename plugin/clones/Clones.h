// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting kernels: beside a kernel that stays as it is, a clone that computes only how often each block
// would run.
#ifndef GPUPROF_CLONES_CLONES_H
#define GPUPROF_CLONES_CLONES_H

#include "clones/CloneSlice.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace gpuprof {

struct KernelPlan;

/// What the user asked for (-fplugin-arg-gpuprof-count).
enum class CountChoice {
  Auto,     ///< a clone where it is free, or much cheaper than the kernel; never for the CPU device
  Clone,    ///< a clone wherever one can be made
  InKernel, ///< counters in the kernel
  Blocks    ///< counters in the kernel, one for each block: what the others are tested against
};

std::optional<CountChoice> countChoice(llvm::StringRef Word);

/// How a kernel is counted.
struct CountWay {
  enum Kind {
    InKernel,
    Free, ///< by a clone that reads nothing but ids and arguments: its counts can be remembered
    Light ///< by a clone that also reads memory, in launches that do not write it; else by a copy with
          ///< counters
  } How = InKernel;
  std::string Why;                  ///< in the kernel: why not by a clone, or nothing
  bool IsInMemory = false;          ///< in the kernel: counters in the thread's memory, as registers are short
  unsigned Instructions = 0;        ///< of the clone, without those that add up counters
  unsigned Parameters = 0;          ///< of the kernel
  std::vector<CloneRead> Reads;     ///< what of them the clone reads
  std::vector<PointersApart> Apart; ///< what must lie apart in a launch that the clone is to count
};

class CloneMaker {
public:
  CloneMaker(llvm::Module &M, llvm::ModuleAnalysisManager &Analyses, CountChoice Choice, bool ForCpu)
      : M(M), Analyses(Analyses), Choice(Choice), ForCpu(ForCpu) {}

  /// Makes the kernel's clone, with the name and the parameters of abi.h, if it is to be counted so. `Bases`
  /// is the unit's array of counter addresses, `Insert` puts the counters of a plan into its functions. The
  /// kernel itself is left alone; with a light clone there is also a copy of it with counters.
  CountWay make(const KernelPlan &Plan, llvm::GlobalVariable &Bases,
                llvm::function_ref<void(const KernelPlan &)> Insert);

private:
  llvm::Module &M;
  llvm::ModuleAnalysisManager &Analyses;
  CountChoice Choice;
  bool ForCpu;
};

} // namespace gpuprof
#endif
