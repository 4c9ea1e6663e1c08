// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bits and bytes of words.
#ifndef GPUPROF_INLINEPTX_ASMBITS_H
#define GPUPROF_INLINEPTX_ASMBITS_H

#include "inline-ptx/AsmContext.h"

namespace gpuprof::cpu {

/// Bit fields, permutations and logic.
class AsmBits : public AsmFamily {
public:
  using AsmFamily::AsmFamily;
  llvm::Value *bits(Op O, const PtxType &T);

private:
  llvm::Value *chooseBySign(Op O, const PtxType &T);
  llvm::Value *logicWithFlag(Op O, llvm::Value *X, llvm::Value *Y, llvm::Value *Z);
};

/// prmt: the bytes of two words named by the nibbles of a selector.
llvm::Value *permuteBytes(llvm::IRBuilder<> &B, llvm::Value *X, llvm::Value *Y, llvm::Value *Selector);

} // namespace gpuprof::cpu
#endif
