// Kernels beside kernels: copies with one parameter more.
#ifndef GPUPROF_IR_KERNELCOPIES_H
#define GPUPROF_IR_KERNELCOPIES_H

#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

/// How a copy of a kernel is launched: in the kernel's place, or by itself, without clusters.
enum class CopyRuns { InPlace, Alone };

/// A copy of a function, named after it and with a 64-bit parameter more, the last. It has no debug
/// information, and no attributes that say what the function does: the copy may do more.
llvm::Function &copyWithPlace(llvm::Function &F, llvm::StringRef Suffix, llvm::ValueToValueMapTy &Map,
                              CopyRuns Way);

/// Says of the copy what metadata say of the kernel (up to LLVM 19): that it is one, and its bounds.
void copyAnnotations(llvm::Function &From, llvm::Function &To, CopyRuns Way);

} // namespace gpuprof
#endif
