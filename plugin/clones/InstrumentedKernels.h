// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instrumented kernels: twins of a kernel with one additional parameter.
#ifndef GPUPROF_CLONES_INSTRUMENTEDKERNELS_H
#define GPUPROF_CLONES_INSTRUMENTEDKERNELS_H

#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

/// The launch of an instrumented kernel: in the kernel's place, or by itself, without clusters.
enum class KernelRuns { InPlace, Alone };

/// Clones a function under a name of its own, with an additional 64-bit parameter, the last. The clone has no
/// debug information and no attributes of effects, since it may have more of them.
llvm::Function &createInstrumentedKernel(llvm::Function &F, llvm::StringRef Suffix, llvm::ValueToValueMapTy &Map,
                              KernelRuns Way);

/// Copies the kernel's metadata (up to LLVM 19): its kernel annotation and its bounds.
void copyAnnotations(llvm::Function &From, llvm::Function &To, KernelRuns Way);

/// Limit of a thread in a block of 1024, the largest: a multiprocessor has 65,536.
constexpr unsigned RegistersInLargestBlock = 64;

/// Limits its registers so that a block of any size can run, unless the kernel's own bounds give the size of
/// its blocks.
void boundRegisters(llvm::Function &Added);

} // namespace gpuprof
#endif
