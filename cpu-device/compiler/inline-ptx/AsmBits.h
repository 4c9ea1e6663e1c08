// Bits and bytes of words.
#ifndef GPUPROF_INLINEPTX_ASMBITS_H
#define GPUPROF_INLINEPTX_ASMBITS_H

#include "llvm/IR/IRBuilder.h"

namespace gpuprof::cpu {

/// prmt: the bytes of two words that the nibbles of a selector name.
llvm::Value *permuteBytes(llvm::IRBuilder<> &B, llvm::Value *X, llvm::Value *Y, llvm::Value *Selector);

} // namespace gpuprof::cpu
#endif
