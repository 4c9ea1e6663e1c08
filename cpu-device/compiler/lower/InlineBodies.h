// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel bodies and the functions that call them.
#ifndef GPUPROF_LOWER_INLINEBODIES_H
#define GPUPROF_LOWER_INLINEBODIES_H

namespace llvm {
class Module;
} // namespace llvm

namespace gpuprof::cpu {
/// Inlines the kernels' bodies. The host's optimiser would do so only after a pass over each body, which it
/// repeats afterwards. The last stage.
void inlineBodies(llvm::Module &M);
} // namespace gpuprof::cpu
#endif
