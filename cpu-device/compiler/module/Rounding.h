// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directed rounding: .rz (to zero), .rm (down), .rp (up). The host's processor rounds to nearest; the sign of
// its error decides between the result and its neighbour. The processor's mode never changes: loops stay
// vectorised.
#ifndef GPUPROF_MODULE_ROUNDING_H
#define GPUPROF_MODULE_ROUNDING_H

#include "llvm/IR/IRBuilder.h"

namespace gpuprof::cpu {
/// The mode among the parts of an opcode, or "" for to nearest.
template <class Pieces> llvm::StringRef roundingOf(const Pieces &Opcode) {
  for (const auto &Piece : Opcode)
    if (llvm::StringRef Name = Piece; Name == "rz" || Name == "rm" || Name == "rp")
      return Name;
  return "";
}

/// add, sub, mul, div, rcp, sqrt or fma (also mad) of floats or doubles, rounded by `Mode`; null: no such
/// operation.
llvm::Value *roundedArithmetic(llvm::IRBuilder<> &B, llvm::StringRef Name, llvm::StringRef Mode,
                               llvm::ArrayRef<llvm::Value *> Operands);
/// An integer of up to 64 bits as a number.
llvm::Value *roundedFromInteger(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Type *To, bool Signed,
                                llvm::StringRef Mode);
/// The clamping of a conversion to a narrower type.
struct Clamping {
  bool Relu = false;           // below 0 becomes 0
  bool Saturate = false;       // to 0…1; NaN becomes 0
  bool SaturateFinite = false; // too large becomes the greatest finite number
};
/// A float or double as a number of a narrower type, `Mode` "" for to nearest even.
llvm::Value *narrowFloat(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Type *To, llvm::StringRef Mode,
                         Clamping How);
} // namespace gpuprof::cpu
#endif
