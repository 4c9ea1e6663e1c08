// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of i64 in a thread's memory, set and copied by the element. LLVM's code generator for GPUs makes loops
// over single bytes of memset and memcpy. ptxas unrolls them: they were most of the time of assembling a kernel with steps.
#ifndef GPUPROF_INSTRUMENT_ARRAYELEMENTS_H
#define GPUPROF_INSTRUMENT_ARRAYELEMENTS_H

#include "llvm/IR/IRBuilder.h"

#include <cstdint>

namespace gpuprof {

/// A thread's counts are aligned to it: two elements are loaded and stored at once.
inline constexpr llvm::Align ArrayAlignment = llvm::Align::Constant<16>();

/// Both emit code at Builder's position, and make no block. `ForCpu`: leaves the work to memset and memcpy.
void setToZero(llvm::IRBuilder<> &Builder, llvm::Value *Array, uint64_t Elements, bool ForCpu,
               llvm::Align Alignment = llvm::Align::Of<uint64_t>());
void copyElements(llvm::IRBuilder<> &Builder, llvm::Value *To, llvm::Value *From, uint64_t Elements,
                  bool ForCpu);

} // namespace gpuprof
#endif
