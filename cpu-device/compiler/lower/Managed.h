// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __managed__ variables: on the CPU device host and kernels use one variable.
#ifndef GPUPROF_LOWER_MANAGED_H
#define GPUPROF_LOWER_MANAGED_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include <string>

namespace gpuprof::cpu {
/// Call before the lowering: gives the variables of device code that are marked as managed the names that say
/// so to it, and returns those that they had, which are the names of the host's shadows.
llvm::SmallVector<std::string> nameManaged(llvm::Module &Device);
/// Call when the device's module is linked into the host's: the host's shadows, with the device's initial
/// values, take the place of the device's variables.
void joinManaged(llvm::Module &Host, llvm::ArrayRef<std::string> Names);
} // namespace gpuprof::cpu
#endif
