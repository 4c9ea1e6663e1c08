// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which accesses reach the machine as generic instructions.
#ifndef GPUPROF_COSTS_GENERICACCESS_H
#define GPUPROF_COSTS_GENERICACCESS_H

namespace llvm {
class Value;
} // namespace llvm

namespace gpuprof {

/// Whether LLVM's code generator leaves the space of an access through the pointer open: its type names none,
/// and neither does what it is computed from. ptxas may still find out. `KeepsType`: an intrinsic whose name
/// says the space, so that nothing is inferred.
bool isGenericInPtx(const llvm::Value &Pointer, bool KeepsType);

} // namespace gpuprof
#endif
