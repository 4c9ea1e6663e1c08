// Inline PTX.
#ifndef GPUPROF_INLINEPTX_ASM_H
#define GPUPROF_INLINEPTX_ASM_H

namespace llvm {
class CallInst;
} // namespace llvm

namespace gpuprof::cpu {
struct Lowering;

/// Lowers one call of inline PTX; false: not known.
bool lowerAsm(Lowering &L, llvm::CallInst &I);
} // namespace gpuprof::cpu
#endif
