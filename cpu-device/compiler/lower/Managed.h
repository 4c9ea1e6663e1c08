// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __managed__ variables: on the CPU device host and kernels use one variable.
#ifndef GPUPROF_LOWER_MANAGED_H
#define GPUPROF_LOWER_MANAGED_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include <string>

namespace gpuprof::cpu {
/// Call it before the lowering. Renames the managed variables of device code to mark them for it. Returns
/// their old names, the names of the host's shadows.
llvm::SmallVector<std::string> nameManaged(llvm::Module &Device);
/// Call it after linking the device's module into the host's. The host's shadows, with the device's initial
/// values, replace the device's variables.
void joinManaged(llvm::Module &Host, llvm::ArrayRef<std::string> Names);
} // namespace gpuprof::cpu
#endif
