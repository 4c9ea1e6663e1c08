// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the accesses reaching the machine as generic instructions.
#ifndef GPUPROF_COSTS_GENERICACCESS_H
#define GPUPROF_COSTS_GENERICACCESS_H

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace gpuprof {

/// True if LLVM's code generator leaves the space of an access through the pointer open: neither its type nor
/// its sources name one. ptxas may still find it. `KeepsType`: an intrinsic with the space in its name;
/// nothing is inferred then.
bool isGenericInPtx(const llvm::Value &Pointer, bool KeepsType);

/// An atomic of CUDA with a scope (atomicAdd_system): an intrinsic, whose first argument is its address.
bool isScopedAtomic(const llvm::CallBase &Call);

} // namespace gpuprof
#endif
