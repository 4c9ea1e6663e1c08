// The slice of a kernel that its control flow needs.
#ifndef GPUPROF_IR_CLONESLICE_H
#define GPUPROF_IR_CLONESLICE_H

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

/// Why no clone of the function can count it, from what it does; empty if one might.
std::string refusalOf(llvm::Function &Kernel);

class CloneSlice {
public:
  /// `Clone` is a copy of a kernel that has one parameter more, the last. What it does beyond computing is
  /// taken out: stores, atomics, barriers, calls. Where the result of such an instruction is used stands an
  /// unknown value.
  CloneSlice(llvm::Function &Clone, llvm::FunctionAnalysisManager &Analyses);
  ~CloneSlice(); // a clone that is refused must be gone by then

  /// Once counters are in: deletes what neither they nor the control flow need. Returns why the clone cannot
  /// count the kernel, if so; else nothing.
  std::string reduce();
  /// What reduce() left: whether it loads from memory, and how many instructions are the kernel's.
  bool readsMemory() const { return Reads; }
  unsigned size() const { return Left; }

  /// Simplifies it: loops whose number of turns has a closed form vanish.
  void simplify();
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
  llvm::DenseSet<const llvm::Instruction *> Own, MemoryLoads; // the kernel's instructions
  std::vector<std::pair<llvm::Function *, const char *>>
      Unknown; // what gives an unknown value, and what that is
  bool Reads = false;
  unsigned Left = 0;
};

} // namespace gpuprof
#endif
