// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions that are easier to read as text than as calls that build them.
#ifndef GPUPROF_INSTRUMENT_LINKEDTEXT_H
#define GPUPROF_INSTRUMENT_LINKEDTEXT_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gpuprof {

/// Adds what the text (LLVM IR) defines to the module; @{structure.field} is a field's offset (AbiLayout.h). The functions named, which become internal, are
/// returned in that order; nothing if the text is wrong.
std::vector<llvm::Function *> linkText(llvm::Module &M, const char *Text, llvm::ArrayRef<const char *> Names);

} // namespace gpuprof
#endif
