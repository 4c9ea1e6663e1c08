// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel bodies and their callers.
#ifndef GPUPROF_ENTRIES_INLINEBODIES_H
#define GPUPROF_ENTRIES_INLINEBODIES_H

namespace llvm {
class Module;
} // namespace llvm

namespace gpuprof::cpu {
/// Inlines the kernels' bodies, as the last stage. The host's optimiser would inline them only after a pass
/// over each body, and repeat the pass afterwards.
void inlineBodies(llvm::Module &M);
} // namespace gpuprof::cpu
#endif
