// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instrumented kernels: twins of a kernel with one additional parameter.
#ifndef GPUPROF_CLONES_INSTRUMENTEDKERNELS_H
#define GPUPROF_CLONES_INSTRUMENTEDKERNELS_H

#include "llvm/Transforms/Utils/ValueMapper.h"

#include <cstdint>
#include <optional>

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

struct KernelPlan;

/// The launch of an instrumented kernel: in the kernel's place, or by itself, without clusters.
enum class KernelRuns { InPlace, Alone };

/// Copies a function under a name of its own, with an additional 64-bit parameter, the last. The copy lacks parameters
/// that have a value in `Map`.
llvm::Function &copyWithParameter(llvm::Function &F, llvm::StringRef Suffix, llvm::ValueToValueMapTy &Map);

/// The same, without debug information and attributes of effects, since the clone may have more of them.
llvm::Function &createInstrumentedKernel(llvm::Function &F, llvm::StringRef Suffix, llvm::ValueToValueMapTy &Map,
                              KernelRuns Way);

/// Where a further 64-bit parameter lies among the parameters of a kernel; nothing if there is no room for it.
std::optional<uint64_t> offsetOfFurtherParameter(const llvm::Function &Kernel);

/// Copies the kernel's metadata (up to LLVM 19): its kernel annotation and its bounds.
void copyAnnotations(llvm::Function &From, llvm::Function &To, KernelRuns Way);

/// Threads of the largest block, and the registers for each: a multiprocessor has 65,536.
constexpr unsigned LargestBlock = 1024, RegistersInLargestBlock = 64;
/// Threads of a block that a multiprocessor has registers for, whatever the kernel.
constexpr unsigned BlockOfAnyRegisters = 256;

/// Limits the registers of a kernel without launch bounds, so that blocks of any size can be launched. In a
/// unit compiled separately, ptxas and nvlink refuse such a kernel if it calls a function with more registers:
/// it stays unlimited if it calls a function that other units have or see.
void boundRegisters(llvm::Function &Kernel);
/// The same for a kernel that is timed: with a limit of registers ptxas uses all of them, though fewer warps
/// are then resident. With the size of the largest block as launch bounds it decides as without bounds.
void fitIntoLargestBlock(llvm::Function &Kernel);

/// True if a block of any size can be launched, or of the size in its launch bounds, as far as the registers of
/// the kernel without counters are known.
bool fitsLargestBlock(const KernelPlan &Plan);
/// Removes the launch bounds of a twin with counters that calls functions of other units: with counters these
/// may need more registers than the bounds leave, and nvlink would refuse the program.
void dropBoundsOfOthers(llvm::Function &Twin);
/// Adds a twin of an instrumented kernel that fits the largest block (GPUPROF_BOUNDED_SUFFIX), unless it cannot
/// be limited.
void addBoundedTwin(llvm::Function &Kernel);

} // namespace gpuprof
#endif
