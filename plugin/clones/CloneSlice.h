// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slice of a kernel needed by its control flow.
#ifndef GPUPROF_CLONES_CLONESLICE_H
#define GPUPROF_CLONES_CLONESLICE_H

#include "clones/PointerOrigins.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class AllocaInst;
class Function;
class Instruction;
} // namespace llvm

namespace gpuprof {

/// Bytes of a kernel's parameter.
struct CloneRead {
  unsigned Parameter;
  uint64_t Offset, Bytes;
};

/// A clone reads memory behind the first pointer, and the kernel writes memory behind the second. The clone
/// counts only launches with these in different allocations.
struct PointersApart {
  PointerPlace Read, Written;
  bool operator==(const PointersApart &Other) const { return Read == Other.Read && Written == Other.Written; }
};

/// Metadata of calls being the purpose of a clone, like those of counters: they stay, with all their inputs.
constexpr llvm::StringLiteral KeptCall = "gpuprof.kept";

/// The reason why no clone of the kernel can count it; empty if one might. Considers its instructions and
/// those of called functions in the module.
std::string refusalOf(llvm::Function &Kernel);

/// Variables in local memory, by their numbers in the order of a clone's instructions.
using OwnVariables = std::set<unsigned>;

class CloneSlice {
public:
  /// `Clone` is a copy of a kernel with one additional parameter, the last. Side effects are removed: stores,
  /// atomics, barriers, calls. Unknown values replace the results of such instructions. Of the variables in
  /// `Keep`, found missing in an equal copy, all accesses stay.
  CloneSlice(llvm::Function &Clone, llvm::FunctionAnalysisManager &Analyses, const OwnVariables &Keep = {});
  ~CloneSlice(); // a refused clone must be erased by then

  /// Call it once counters are in. Deletes instructions needed neither by counters, nor by kept calls, nor by
  /// the control flow. Returns the reason if the clone cannot do the kernel's part, as a sentence about
  /// `Subject`; otherwise nothing.
  std::string reduce(llvm::StringRef Subject = "its control flow");
  /// After a refusal by reduce(): the variables whose values are all that is unknown; empty if more is.
  OwnVariables missing() const;
  /// The result of reduce(): loads from memory, and the number of the kernel's instructions.
  bool readsMemory() const { return Reads; }
  unsigned size() const { return Left; }

  /// Simplifies it: loops with a closed form of their trip count vanish.
  void simplify();
  /// The pointers required to lie apart in a launch for the loads left by reduce().
  const std::vector<PointersApart> &apart() const { return Apart; }
  /// The pointers among the arguments behind which all these loads lie; nothing if some lie elsewhere.
  const PointerOrigins &loads() const { return LoadPlaces; }
  /// The remaining reads of the kernel's parameters.
  std::vector<CloneRead> reads() const;

  /// An estimate of the time of a function's thread: its instructions, each loop level counting tenfold.
  static uint64_t costOf(llvm::Function &F, llvm::FunctionAnalysisManager &Analyses);

private:
  struct UnknownValue {
    llvm::Function *Source;
    const char *Why;                  // its description
    std::optional<unsigned> Variable; // the variable loaded, if it can be kept
  };

  void takeOut(llvm::Instruction &I, const char *Why, std::optional<unsigned> Variable);
  void skipTraps();
  std::string objection();
  void addLoad(const llvm::Value &Pointer);

  llvm::Function &Clone;
  llvm::FunctionAnalysisManager &Analyses;
  llvm::DenseSet<const llvm::Instruction *> Own; // the kernel's instructions
  llvm::DenseMap<const llvm::Instruction *, std::vector<PointersApart>>
      MemoryLoads; // and the requirements of each
  llvm::DenseSet<const llvm::AllocaInst *> Kept;
  llvm::DenseMap<const llvm::AllocaInst *, unsigned> Offered; // could be kept
  std::vector<UnknownValue> Unknown;
  std::vector<PointersApart> Apart;
  PointerOrigins LoadPlaces = llvm::SmallVector<PointerPlace, 2>();
  bool Reads = false;
  unsigned Left = 0;
};

} // namespace gpuprof
#endif
