// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids that begin while the one before them in their stream ends (programmatic dependent launch, PTX's griddepcontrol).
#ifndef GPUPROF_CLONES_GRIDORDER_H
#define GPUPROF_CLONES_GRIDORDER_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gpuprof {

/// True if code of the module orders grids by itself: such a kernel may let the next one begin before its own end.
bool ordersGrids(const llvm::Module &M);

/// Each thread of the kernel ends only after the grid before it: whoever waits for the kernel waits for that one, too. False if
/// the kernel's architecture knows no such order.
bool waitForGridBefore(llvm::Function &Kernel);

} // namespace gpuprof
#endif
