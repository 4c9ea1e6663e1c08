// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls through pointers, as of virtual functions: direct calls of the unit's functions where they are counted.
#ifndef GPUPROF_INSTRUMENT_POINTERCALLS_H
#define GPUPROF_INSTRUMENT_POINTERCALLS_H

namespace llvm {
class Module;
} // namespace llvm

namespace gpuprof {

/// Compares each called pointer with the unit's functions of its type whose addresses are used, and calls these
/// directly. A call of any other function stays behind the comparisons.
void addDirectCalls(llvm::Module &M);

/// Puts back the former call where no counters stand behind its direct calls: in kernels beside their twins, or not counted.
void removeUncountedDirectCalls(llvm::Module &M);

} // namespace gpuprof
#endif
