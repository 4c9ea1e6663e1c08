// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instrumented kernels: twins of a kernel with one parameter more.
#ifndef GPUPROF_CLONES_INSTRUMENTEDKERNELS_H
#define GPUPROF_CLONES_INSTRUMENTEDKERNELS_H

#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

/// How an instrumented kernel is launched: in the kernel's place, or by itself, without clusters.
enum class KernelRuns { InPlace, Alone };

/// Clones a function under a name of its own, with a 64-bit parameter more, the last. The clone has no debug
/// information and no attributes of effects, since it may do more.
llvm::Function &createInstrumentedKernel(llvm::Function &F, llvm::StringRef Suffix, llvm::ValueToValueMapTy &Map,
                              KernelRuns Way);

/// Copies the kernel's metadata (up to LLVM 19): that it is a kernel, and its bounds.
void copyAnnotations(llvm::Function &From, llvm::Function &To, KernelRuns Way);

/// What a thread of a block of 1024, the largest, may have: a multiprocessor has 65,536.
constexpr unsigned RegistersInLargestBlock = 64;

/// Keeps ptxas from giving it more registers than a block of any size leaves to its threads, unless the kernel's own
/// bounds say how large its blocks are.
void boundRegisters(llvm::Function &Copy);

} // namespace gpuprof
#endif
