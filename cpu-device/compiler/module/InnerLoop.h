// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The innermost work-item loop of a parallel region: it runs the threads of one row, differing in x only.
#ifndef GPUPROF_MODULE_INNERLOOP_H
#define GPUPROF_MODULE_INNERLOOP_H

namespace llvm {
class BasicBlock;
class PHINode;
class Value;
} // namespace llvm

namespace gpuprof::cpu {

/// A loop over the threads of a row, in a loop over the rows of a plane.
struct InnerLoop {
  llvm::BasicBlock *BeforePlane = nullptr; // runs once before each plane, and ends with a jump to Before
  llvm::PHINode *Row = nullptr;            // 0, 1, …
  llvm::Value *Y = nullptr;                // threadIdx.y
  llvm::Value *Rows = nullptr;             // i32, not 0
  llvm::BasicBlock *Before = nullptr; // runs once before each row, and ends with a jump to First
  llvm::BasicBlock *First = nullptr;  // the loop's header
  llvm::PHINode *X = nullptr;         // 0, 1, …
  llvm::Value *Count = nullptr;       // i32, not 0
  bool IsOfFew = false;               // one thread of the block, of a row, or of each warp
};

} // namespace gpuprof::cpu
#endif
