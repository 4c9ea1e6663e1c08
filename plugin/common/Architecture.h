// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPU that a function is compiled for.
#ifndef GPUPROF_COMMON_ARCHITECTURE_H
#define GPUPROF_COMMON_ARCHITECTURE_H

#include "llvm/IR/Function.h"

namespace gpuprof {

/// The first with `redux.sync`.
constexpr unsigned FirstWithRedux = 80;

/// The number in sm_90; 0: none is named.
inline unsigned architectureOf(const llvm::Function &F) {
  llvm::StringRef Name = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Number = 0;
  return Name.consume_front("sm_") && !Name.consumeInteger(10, Number) ? Number : 0;
}

} // namespace gpuprof
#endif
