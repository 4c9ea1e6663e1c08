// Kernels beside kernels: copies with one parameter more.
#ifndef GPUPROF_CLONES_INSTRUMENTEDKERNELS_H
#define GPUPROF_CLONES_INSTRUMENTEDKERNELS_H

#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

/// How a copy of a kernel is launched: in the kernel's place, or by itself, without clusters.
enum class KernelRuns { InPlace, Alone };

/// A copy of a function, named after it and with a 64-bit parameter more, the last. It has no debug
/// information, and no attributes that say what the function does: the copy may do more.
llvm::Function &createInstrumentedKernel(llvm::Function &F, llvm::StringRef Suffix, llvm::ValueToValueMapTy &Map,
                              KernelRuns Way);

/// Says of the copy what metadata say of the kernel (up to LLVM 19): that it is one, and its bounds.
void copyAnnotations(llvm::Function &From, llvm::Function &To, KernelRuns Way);

/// What a thread of a block of 1024, the largest, may have: a multiprocessor has 65,536.
constexpr unsigned RegistersInLargestBlock = 64;

/// Keeps ptxas from giving the copy more registers than a block of any size leaves to its threads, unless the kernel's own
/// bounds say how large its blocks are.
void boundRegisters(llvm::Function &Copy);

} // namespace gpuprof
#endif
