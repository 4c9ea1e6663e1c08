// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions of a warp: mma.sync and wmma, ldmatrix, stmatrix, movmatrix.
#ifndef GPUPROF_LOWER_MATRIX_H
#define GPUPROF_LOWER_MATRIX_H

#include "lower/Lowering.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace gpuprof::cpu {
/// A type of elements: its name in PTX, its number in cpu_matrix.h, and the bits of an element in a register.
struct MatrixElement {
  const char *Name;
  unsigned Number, Bits;
};
/// Null: no such type.
const MatrixElement *matrixElement(llvm::StringRef Name);
/// "m16n8k16"; false: not a shape.
bool parseMatrixShape(llvm::StringRef Text, unsigned &M, unsigned &N, unsigned &K);

/// The form of a product as cpu_matrix.h packs it, out of the pieces of an opcode or of an intrinsic's name;
/// none where there is no such product here (block scales, shapes not known).
struct MatrixForm {
  uint64_t Packed = 0;
  unsigned M = 0, N = 0, K = 0;
  unsigned BitsA = 0, BitsB = 0, BitsC = 0, BitsD = 0; // of an element
  bool Sparse = false; // A has half its elements, and one register more, the metadata
  /// Says of a sparse form which lanes have the metadata.
  void select(unsigned Lanes);
  static std::optional<MatrixForm> parse(llvm::ArrayRef<llvm::StringRef> Pieces);
};

/// One product: registers of 32 or 64 bits each; gives those of D as integers of their size.
llvm::SmallVector<llvm::Value *> matrixProduct(Lowering &L, llvm::IRBuilder<> &B, const MatrixForm &Form,
                                               llvm::ArrayRef<llvm::Value *> RegistersA,
                                               llvm::ArrayRef<llvm::Value *> RegistersB,
                                               llvm::ArrayRef<llvm::Value *> RegistersC);
/// ldmatrix of 1, 2 or 4 matrices of 8 x 8 elements of 16 bits; and stmatrix.
llvm::SmallVector<llvm::Value *> matrixLoad(Lowering &L, llvm::IRBuilder<> &B, unsigned Count,
                                            bool Transposed, llvm::Value *Address);
void matrixStore(Lowering &L, llvm::IRBuilder<> &B, bool Transposed, llvm::Value *Address,
                 llvm::ArrayRef<llvm::Value *> Registers);
/// movmatrix of 8 x 8 elements of 16 bits, of which each lane holds a register.
llvm::Value *matrixTranspose(Lowering &L, llvm::IRBuilder<> &B, llvm::Value *Register);

/// A call that does a matrix instruction of a whole warp: (thread's state, registers of A, B and C) → an
/// array of those of D, or nothing. Of ldmatrix and stmatrix the row's address is A.
struct WarpMatrix {
  uint64_t Operation = 0; // enum gpuprof_matrix_operation
  uint64_t Form = 0;      // of a product, else 1 where it is transposed
  uint64_t Counts = 0;    // registers of A, B, C and D, a byte each
};
/// Function attribute of what such calls call.
inline constexpr const char *WarpMatrixAttribute = "gpuprof-warp-matrix";
std::optional<WarpMatrix> warpMatrix(const llvm::CallInst &I);

/// Lowers wmma.…, mma.…, ldmatrix.…, stmatrix.… and movmatrix.… (the pieces of the name behind `llvm.nvvm.`);
/// false: not known.
bool lowerMatrixIntrinsic(Lowering &L, llvm::CallInst &I, llvm::ArrayRef<llvm::StringRef> Pieces);
} // namespace gpuprof::cpu
#endif
