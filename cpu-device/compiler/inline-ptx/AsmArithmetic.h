// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic, comparisons and shifts.
#ifndef GPUPROF_INLINEPTX_ASMARITHMETIC_H
#define GPUPROF_INLINEPTX_ASMARITHMETIC_H

#include "inline-ptx/AsmContext.h"

namespace gpuprof::cpu {

/// Instructions computing one value.
class AsmArithmetic : public AsmFamily {
public:
  using AsmFamily::AsmFamily;
  /// The value of an instruction; null: not an operation of this family, or an unknown one.
  llvm::Value *compute(Op O);
  bool setPredicate(Op O, const PtxType &T);

private:
  llvm::Value *floating(Op O, const PtxType &T);
  llvm::Value *integer(Op O, const PtxType &T);
  llvm::Value *integerOfTwo(Op O, const PtxType &T, llvm::Value *X, llvm::Value *Y);
  llvm::Value *product(Op O, const PtxType &T);
  llvm::Value *withCarry(Op O, const PtxType &T, llvm::Value *Left, llvm::Value *Right);
  llvm::Value *compare(Op O, const PtxType &T);
  llvm::Value *set(Op O, const PtxType &T);
};

} // namespace gpuprof::cpu
#endif
