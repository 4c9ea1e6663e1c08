// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slice of a kernel that its control flow needs.
#ifndef GPUPROF_CLONES_CLONESLICE_H
#define GPUPROF_CLONES_CLONESLICE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace gpuprof {

/// Bytes of a kernel's parameter.
struct CloneRead {
  unsigned Parameter;
  uint64_t Offset, Bytes;
};

/// A pointer among a kernel's arguments: where it stands in which parameter.
struct PointerPlace {
  unsigned Parameter;
  uint64_t Offset;
  bool operator==(const PointerPlace &Other) const {
    return Parameter == Other.Parameter && Offset == Other.Offset;
  }
};

/// A clone reads what the first points into and the kernel writes what the second points into: the clone
/// counts only launches of which these are different allocations.
struct PointersApart {
  PointerPlace Read, Written;
  bool operator==(const PointersApart &Other) const { return Read == Other.Read && Written == Other.Written; }
};

/// Metadata of calls that a clone is made for, as others are for counters: they stay, with all that they
/// need.
constexpr llvm::StringLiteral KeptCall = "gpuprof.kept";

/// Why no clone of the kernel can count it, from what it and the functions of the module that it calls do;
/// empty if one might.
std::string refusalOf(llvm::Function &Kernel);

class CloneSlice {
public:
  /// `Clone` is a copy of a kernel that has one parameter more, the last. What it does beyond computing is
  /// taken out: stores, atomics, barriers, calls. Where the result of such an instruction is used stands an
  /// unknown value.
  CloneSlice(llvm::Function &Clone, llvm::FunctionAnalysisManager &Analyses);
  ~CloneSlice(); // a clone that is refused must be gone by then

  /// Once counters are in: deletes what neither they, nor calls that stay, nor the control flow need. Returns
  /// why the clone cannot do the kernel's part, if so, as a sentence about `Subject`; else nothing.
  std::string reduce(llvm::StringRef Subject = "its control flow");
  /// What reduce() left: whether it loads from memory, and how many instructions are the kernel's.
  bool readsMemory() const { return Reads; }
  unsigned size() const { return Left; }

  /// Simplifies it: loops whose number of turns has a closed form vanish.
  void simplify();
  /// The pointers that must lie apart in a launch for the loads that reduce() left.
  const std::vector<PointersApart> &apart() const { return Apart; }
  /// What it then reads of the kernel's parameters.
  std::vector<CloneRead> reads() const;

  /// About how long a thread of a function takes: its instructions, ten times as much in a loop as outside of
  /// it.
  static uint64_t costOf(llvm::Function &F, llvm::FunctionAnalysisManager &Analyses);

private:
  void takeOut(llvm::Instruction &I, const char *Why);
  void skipTraps();
  std::string objection();

  llvm::Function &Clone;
  llvm::FunctionAnalysisManager &Analyses;
  llvm::DenseSet<const llvm::Instruction *> Own; // the kernel's instructions
  llvm::DenseMap<const llvm::Instruction *, std::vector<PointersApart>>
      MemoryLoads; // and what each relies on
  std::vector<std::pair<llvm::Function *, const char *>>
      Unknown; // what gives an unknown value, and what that is
  std::vector<PointersApart> Apart;
  bool Reads = false;
  unsigned Left = 0;
};

} // namespace gpuprof
#endif
