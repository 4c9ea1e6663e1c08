// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions more readable as text than as calls building them.
#ifndef GPUPROF_COMMON_LINKEDTEXT_H
#define GPUPROF_COMMON_LINKEDTEXT_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gpuprof {

/// Adds the definitions of the text (LLVM IR) to the module; @{structure.field} is a field's offset
/// (AbiLayout.h). The named functions become internal and are returned in this order; nothing if the text is
/// invalid.
std::vector<llvm::Function *> linkText(llvm::Module &M, const char *Text, llvm::ArrayRef<const char *> Names);

} // namespace gpuprof
#endif
