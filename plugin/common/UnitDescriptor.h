// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The descriptor of the unit that a module is (abi.h).
#ifndef GPUPROF_COMMON_UNITDESCRIPTOR_H
#define GPUPROF_COMMON_UNITDESCRIPTOR_H

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace gpuprof {

/// Null: it is declared nowhere.
llvm::GlobalVariable *unitDescriptor(llvm::Module &M);
/// Whether the unit is compiled separately (-fgpu-rdc), so that device functions may call those of other
/// units.
bool isRelocatable(llvm::Module &M);

} // namespace gpuprof
#endif
