// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of matrix instructions: the work of a warp, or more, is divided among its threads.
#ifndef GPUPROF_COSTS_MATRIXCOSTS_H
#define GPUPROF_COSTS_MATRIXCOSTS_H

#include "costs/CostParts.h"

namespace gpuprof {

/// A matrix product named by its parts (…m16n8k16…bf16…), by `Threads` threads together: the share of one of
/// them. For a sparse product only the computed half counts. A warp's products are mma.sync's. False: not understood.
bool addMatrixProduct(InstructionCost &Cost, llvm::ArrayRef<llvm::StringRef> Pieces, unsigned Threads);

/// wmma.m16n16k16.load.a.row.stride.f16.p0 and .store.d: bytes moved by one of 32 threads; 0: it is neither.
uint64_t matrixFragmentBytes(llvm::ArrayRef<llvm::StringRef> Pieces);

/// ldmatrix.sync.aligned.m8n8.x4.trans.b16: bytes moved by one of 32 threads; 0: not understood.
uint64_t matrixRowBytes(llvm::ArrayRef<llvm::StringRef> Pieces);

} // namespace gpuprof
#endif
