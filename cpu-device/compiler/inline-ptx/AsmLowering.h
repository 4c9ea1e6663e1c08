// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX as IR.
#ifndef GPUPROF_INLINEPTX_ASMLOWERING_H
#define GPUPROF_INLINEPTX_ASMLOWERING_H

namespace llvm {
class CallInst;
} // namespace llvm

namespace gpuprof::cpu {

struct Lowering;

/// Lowers one call of inline PTX; false: not known.
bool lowerAsm(Lowering &L, llvm::CallInst &I);

} // namespace gpuprof::cpu
#endif
