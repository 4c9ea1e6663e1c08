// Copies of a few bytes.
#ifndef GPUPROF_INLINEPTX_ASMMEMORY_H
#define GPUPROF_INLINEPTX_ASMMEMORY_H

#include "llvm/IR/IRBuilder.h"

namespace gpuprof::cpu {

/// cp.async of 4, 8 or 16 bytes, done at once; `Given`, or null for all: the bytes that are read, the rest
/// being zeros. False: no such size.
bool copyNow(llvm::IRBuilder<> &B, llvm::Value *To, llvm::Value *From, uint64_t Bytes, llvm::Value *Given);

} // namespace gpuprof::cpu
#endif
