// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The descriptor of a module's unit (abi.h).
#ifndef GPUPROF_COMMON_UNITDESCRIPTOR_H
#define GPUPROF_COMMON_UNITDESCRIPTOR_H

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace gpuprof {

/// Null: it is declared nowhere.
llvm::GlobalVariable *unitDescriptor(llvm::Module &M);
/// True if the unit is compiled separately (-fgpu-rdc): device functions may then call functions of other
/// units.
bool isRelocatable(llvm::Module &M);

} // namespace gpuprof
#endif
