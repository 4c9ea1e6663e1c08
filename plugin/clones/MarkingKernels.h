// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// unique=on: beside each counted kernel a marking kernel, also marking the sectors of its global accesses.
#ifndef GPUPROF_CLONES_MARKINGKERNELS_H
#define GPUPROF_CLONES_MARKINGKERNELS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace gpuprof {

struct SectorMarkers;

/// A kernel, and the function with its counters: the kernel itself or its instrumented twin.
struct CountedKernel {
  llvm::Function *Kernel, *Counted;
  bool TakesCounters; // `Counted`, as its last argument
};

/// Adds an instrumented kernel for each kernel, to run in its place. Its last parameter, the address of a
/// table, is passed on to called functions; `Insert` adds the instrumentation. `IsAdded`: functions called by
/// `Insert`'s code.
void addKernelsInPlace(const std::vector<CountedKernel> &Kernels, llvm::StringRef Suffix,
                      llvm::function_ref<bool(const llvm::Function &)> IsAdded,
                      llvm::function_ref<void(llvm::Function &Added, llvm::Value &Table)> Insert);

/// Adds the marking kernels of kernels with tagged accesses, with the name and the parameters of abi.h. They
/// have the kernel's counters, if these are in the kernel or in a twin of it.
void addMarkingKernels(const std::vector<CountedKernel> &Kernels, const SectorMarkers &Functions);

} // namespace gpuprof
#endif
