// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and registers used by both intrinsics and inline PTX.
#ifndef GPUPROF_MODULE_NUMERICHELPERS_H
#define GPUPROF_MODULE_NUMERICHELPERS_H

#include "llvm/IR/IRBuilder.h"

namespace gpuprof::cpu {
struct Lowering;

/// The value of a special register (`tid.x`, `laneid`, …) in 32 or 64 bits, or null.
llvm::Value *specialRegister(Lowering &L, llvm::IRBuilder<> &B, llvm::StringRef Name);
/// float or double → bfloat, rounded to nearest even, without the library function missing in old libgcc.
llvm::Value *truncateToBFloat(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Type *To);
/// Any floating-point type → any other, rounded to nearest even.
llvm::Value *castFloat(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Type *To);
/// A GPU's integer division or remainder: division by zero has a result too, and the kernel goes on.
llvm::Value *divide(llvm::IRBuilder<> &B, bool Remainder, bool Signed, llvm::Value *X, llvm::Value *Y);
/// True if a generic address lies in the address space (PTX's name: `shared::cluster`). Null: no such space.
llvm::Value *isInSpace(Lowering &L, llvm::IRBuilder<> &B, llvm::Value *Address, llvm::StringRef Space);
/// tanh of fp32, fp16 or bf16, one or two; null if `V` is null or a double.
llvm::Value *hyperbolicTangent(Lowering &L, llvm::IRBuilder<> &B, llvm::Value *V);
/// Floating point → integer as PTX does it: saturating, NaN is 0. `Rounding` is rn, rz, rm or rp.
llvm::Value *toInteger(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Type *To, bool Signed,
                       llvm::StringRef Rounding);
} // namespace gpuprof::cpu
#endif
