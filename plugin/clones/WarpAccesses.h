// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes requested together by the lanes of each warp: tagged accesses, and the function counting them.
#ifndef GPUPROF_CLONES_WARPACCESSES_H
#define GPUPROF_CLONES_WARPACCESSES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Module;
class Value;
} // namespace llvm

namespace gpuprof {

/// Tags the loads, stores and atomics of global and shared memory in a function, in the form they are
/// counted; and the parts of the loads that the code generator or ptxas may make otherwise.
/// Analyses: as for LoadFreedom.
void tagWarpAccesses(llvm::Function &F, llvm::FunctionAnalysisManager *Analyses);

/// The function counting one access of a warp into a gpuprof_warp_table (abi.h).
struct WarpCounter {
  llvm::Function *Count = nullptr; ///< (table, address, bytes, class, place in the function)
  bool KeepsTogether = false;      ///< for a GPU: lanes shall not part where the kernel's do not

  /// Adds it to the module; nothing if the GPU cannot compare lanes (before sm_70), or without memory for it.
  static WarpCounter link(llvm::Module &M, bool ForCpu);
  explicit operator bool() const { return Count; }

  /// Inserts before each tagged access of F a call counting it.
  void insert(llvm::Function &F, llvm::Value &Table) const;
};

/// To be called at the end: removes the tags.
void removeWarpTags(llvm::Module &M);

} // namespace gpuprof
#endif
