// unique=on: beside each counted kernel a copy that also marks the sectors of global memory it touches.
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

/// Adds a copy of each kernel that runs in its place, with the address of a table as the last parameter, which functions
/// that it calls get too; `Insert` adds what the copy does beside. `IsAdded`: functions that `Insert` calls.
void addKernelsInPlace(const std::vector<llvm::Function *> &Kernels, llvm::StringRef Suffix,
                      llvm::function_ref<bool(const llvm::Function &)> IsAdded,
                      llvm::function_ref<void(llvm::Function &Copy, llvm::Value &Table)> Insert);

/// Adds the copies of kernels whose accesses are tagged, with the name and the parameters of abi.h. They are
/// copied as they are: with their counters, if these are in the kernel.
void addMarkingKernels(const std::vector<llvm::Function *> &Kernels, const SectorMarkers &Functions);

} // namespace gpuprof
#endif
