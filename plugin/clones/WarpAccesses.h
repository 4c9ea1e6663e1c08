// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lanes of each warp ask for together: accesses that are tagged, and the function that counts them.
#ifndef GPUPROF_CLONES_WARPACCESSES_H
#define GPUPROF_CLONES_WARPACCESSES_H

namespace llvm {
class Function;
class Module;
class Value;
} // namespace llvm

namespace gpuprof {

/// Tags the loads, stores and atomics of global and shared memory in a function, as they are counted.
void tagWarpAccesses(llvm::Function &F);

/// The function that counts one access of a warp into a gpuprof_warp_table (abi.h).
struct WarpCounter {
  llvm::Function *Count = nullptr; ///< (table, address, bytes, class, place in the function)

  /// Adds it to the module; nothing where the GPU cannot compare lanes (before sm_70), and without memory for
  /// it.
  static WarpCounter link(llvm::Module &M, bool ForCpu);
  explicit operator bool() const { return Count; }

  /// Before each tagged access of F: a call that counts it.
  void insert(llvm::Function &F, llvm::Value &Table) const;
};

/// At the end: takes the tags off again.
void removeWarpTags(llvm::Module &M);

} // namespace gpuprof
#endif
