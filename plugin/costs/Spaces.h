// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory a pointer points to: the address spaces of pointers are still generic when costs are counted.
#ifndef GPUPROF_COSTS_SPACES_H
#define GPUPROF_COSTS_SPACES_H

namespace llvm {
class Value;
}

namespace gpuprof {

enum class Space { Global, Shared, Local, Constant, Unknown };

/// Follows a pointer to the objects it may come from; Unknown if they lie in different spaces or cannot be found.
Space spaceOf(const llvm::Value &Pointer);

} // namespace gpuprof
#endif
