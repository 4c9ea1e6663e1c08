// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions of a warp: mma.sync and wmma, ldmatrix, stmatrix, movmatrix.
#ifndef GPUPROF_MODULE_MATRIX_H
#define GPUPROF_MODULE_MATRIX_H

#include "module/Lowering.h"
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

/// The form of a product, packed as in cpu_matrix.h, from the parts of an opcode or of an intrinsic's name.
/// None for an unknown product (block scales, unknown shapes).
struct MatrixForm {
  uint64_t Packed = 0;
  unsigned M = 0, N = 0, K = 0;
  unsigned BitsA = 0, BitsB = 0, BitsC = 0, BitsD = 0; // of an element
  bool Sparse = false; // A has half its elements, and an additional register of metadata
  /// Selects the lanes with the metadata of a sparse form.
  void select(unsigned Lanes);
  static std::optional<MatrixForm> parse(llvm::ArrayRef<llvm::StringRef> Pieces);
};

/// One product of registers of 32 or 64 bits each; returns those of D as integers of their size.
llvm::SmallVector<llvm::Value *> matrixProduct(Lowering &L, llvm::IRBuilder<> &B, const MatrixForm &Form,
                                               llvm::ArrayRef<llvm::Value *> RegistersA,
                                               llvm::ArrayRef<llvm::Value *> RegistersB,
                                               llvm::ArrayRef<llvm::Value *> RegistersC);
/// ldmatrix of 1, 2 or 4 matrices of 8 x 8 elements of 16 bits; and stmatrix.
llvm::SmallVector<llvm::Value *> matrixLoad(Lowering &L, llvm::IRBuilder<> &B, unsigned Count,
                                            bool Transposed, llvm::Value *Address);
void matrixStore(Lowering &L, llvm::IRBuilder<> &B, bool Transposed, llvm::Value *Address,
                 llvm::ArrayRef<llvm::Value *> Registers);
/// movmatrix of 8 x 8 elements of 16 bits; each lane holds one register.
llvm::Value *matrixTranspose(Lowering &L, llvm::IRBuilder<> &B, llvm::Value *Register);

/// A call for a matrix instruction of a whole warp: (thread's state, registers of A, B and C) → an array of
/// D's registers, or nothing. For ldmatrix and stmatrix the row's address is A.
struct WarpMatrix {
  uint64_t Operation = 0; // enum gpuprof_matrix_operation
  uint64_t Form = 0;      // of a product; otherwise 1 if transposed
  uint64_t Counts = 0;    // numbers of registers of A, B, C and D, one byte each
};
/// Attribute of the functions called by such calls.
inline constexpr const char *WarpMatrixAttribute = "gpuprof-warp-matrix";
std::optional<WarpMatrix> warpMatrix(const llvm::CallInst &I);

/// Lowers wmma.…, mma.…, ldmatrix.…, stmatrix.… and movmatrix.… (`Pieces`: parts of the name behind
/// `llvm.nvvm.`); false: not known.
bool lowerMatrixIntrinsic(Lowering &L, llvm::CallInst &I, llvm::ArrayRef<llvm::StringRef> Pieces);
} // namespace gpuprof::cpu
#endif
