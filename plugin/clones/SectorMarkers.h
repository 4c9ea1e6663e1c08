// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marking a kernel's global memory: its accesses, and the functions marking sectors of 32 bytes.
#ifndef GPUPROF_CLONES_SECTORMARKERS_H
#define GPUPROF_CLONES_SECTORMARKERS_H

namespace llvm {
class CallInst;
class Function;
class Module;
class Value;
} // namespace llvm

namespace gpuprof {

/// Tags the accesses of global memory in a function. False if some cannot be marked: by inline PTX, bypassing
/// registers, or in an undefined function.
bool tagGlobalAccesses(llvm::Function &F);

/// The marking functions in one module. The first argument is the address of a gpuprof_unique_table (abi.h),
/// the second a pointer.
struct SectorMarkers {
  llvm::Function *Global = nullptr;  ///< (table, pointer, bytes): the pointer is to global memory
  llvm::Function *Generic = nullptr; ///< the same if only the hardware knows
  llvm::Function *Strided =
      nullptr; ///< (table, pointer, stride, count, bytes): an access in each iteration of a loop

  /// Adds them to the module; nothing without memory for it. `ForCpu`: no warp operations.
  static SectorMarkers link(llvm::Module &M, bool ForCpu);
  explicit operator bool() const { return Global; }
  bool isOne(const llvm::Value *Callee) const;

  /// Inserts before each tagged access of F a call marking it in the table, unless an earlier call of the
  /// block has marked it.
  void insert(llvm::Function &F, llvm::Value &Table) const;
};

/// To be called at the end: removes the tags, and uncalled functions.
void removeSectorMarkers(llvm::Module &M);

/// Declares that a call accesses no memory of the program's: loads are then known to be unaffected.
void markAsMarker(llvm::CallInst &Call);

} // namespace gpuprof
#endif
