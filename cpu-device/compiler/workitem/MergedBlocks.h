// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks side by side along x whose threads run as one long row.
#ifndef GPUPROF_WORKITEM_MERGEDBLOCKS_H
#define GPUPROF_WORKITEM_MERGEDBLOCKS_H

#include "module/Lowering.h"

namespace gpuprof::cpu {

/// True if a body reads threadIdx.x and blockIdx.x in blockIdx.x * blockDim.x + threadIdx.x alone, and if nothing else
/// in it belongs to a block. The sum counts on from block to block: the emulator may give the body several at a time.
bool canMergeBlocks(const Lowering &L, llvm::Function &Body);

/// The same for single values of a loop over threads, in a body of loops.
class GridValues {
public:
  /// `X` counts the threads of the loop.
  GridValues(const llvm::Argument &State, const llvm::PHINode &X) : State(State), X(X) {}
  /// True if the value depends on both indices in their sum alone. The block's width may be a constant in it.
  bool isOfGrid(const llvm::Value *V, unsigned Depth = 0);
  /// The constant width; 0: none was found. The values are those of the grid only in blocks that wide.
  uint64_t width() const { return Width; }

private:
  bool isStart(const llvm::Value *V);
  bool isX(const llvm::Value *V) const;

  const llvm::Argument &State;
  const llvm::PHINode &X;
  uint64_t Width = 0;
};

} // namespace gpuprof::cpu
#endif
