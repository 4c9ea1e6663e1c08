// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of NVPTX intrinsics.
#ifndef GPUPROF_LOWER_INTRINSICS_H
#define GPUPROF_LOWER_INTRINSICS_H

namespace llvm {
class CallInst;
} // namespace llvm

namespace gpuprof::cpu {
struct Lowering;

/// Lowers one call of an `llvm.nvvm.*` intrinsic; false: not known.
bool lowerIntrinsic(Lowering &L, llvm::CallInst &I);
} // namespace gpuprof::cpu
#endif
