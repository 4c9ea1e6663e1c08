// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory space of a pointer's target: pointers still have generic address spaces when costs are counted.
#ifndef GPUPROF_COSTS_SPACES_H
#define GPUPROF_COSTS_SPACES_H

namespace llvm {
class Value;
}

namespace gpuprof {

enum class Space { Global, Shared, Local, Constant, Unknown };

/// Follows a pointer to its possible objects; Unknown if they lie in different spaces or cannot be found.
Space spaceOf(const llvm::Value &Pointer);

} // namespace gpuprof
#endif
