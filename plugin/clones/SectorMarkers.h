// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marking what a kernel touches of global memory: its accesses, and the functions that mark sectors of 32
// bytes.
#ifndef GPUPROF_CLONES_SECTORMARKERS_H
#define GPUPROF_CLONES_SECTORMARKERS_H

namespace llvm {
class CallInst;
class Function;
class Module;
class Value;
} // namespace llvm

namespace gpuprof {

/// Tags the accesses of global memory in a function. False if it has one that cannot be marked: by inline
/// PTX, past the registers, or in a function that is not here.
bool tagGlobalAccesses(llvm::Function &F);

/// The functions that mark, in one module. The first argument is the address of a gpuprof_unique_table
/// (abi.h), the second a pointer.
struct SectorMarkers {
  llvm::Function *Global = nullptr;  ///< (table, pointer, bytes): the pointer is to global memory
  llvm::Function *Generic = nullptr; ///< the same where only the hardware knows
  llvm::Function *Strided =
      nullptr; ///< (table, pointer, stride, count, bytes): an access in each turn of a loop

  /// Adds them to the module; nothing without memory for it. `ForCpu`: no warp operations.
  static SectorMarkers link(llvm::Module &M, bool ForCpu);
  explicit operator bool() const { return Global; }
  bool isOne(const llvm::Value *Callee) const;

  /// Before each tagged access of F: a call that marks it in the table. Those of one block that an earlier
  /// call has marked get none.
  void insert(llvm::Function &F, llvm::Value &Table) const;
};

/// At the end: takes the tags off again, and the functions away that nobody calls.
void removeSectorMarkers(llvm::Module &M);

/// Says that a call touches no memory of the program's, so that loads can be seen to be unaffected.
void markAsMarker(llvm::CallInst &Call);

} // namespace gpuprof
#endif
