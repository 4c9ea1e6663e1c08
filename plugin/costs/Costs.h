// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The amounts added to cost classes by one execution of an instruction.
#ifndef GPUPROF_COSTS_COSTS_H
#define GPUPROF_COSTS_COSTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>
#include <string>

namespace llvm {
class Instruction;
class raw_ostream;
} // namespace llvm

namespace gpuprof {

class Contractions;
enum class ContractionMode;
class WarpUniformity;

enum class CostClass : unsigned {
#define GPUPROF_COST(Identifier, Group, Key, Flops) Identifier,
#include "gpuprof/cost_classes.inc"
  Number
};

llvm::StringRef costClassName(CostClass Class);
/// The class with this name; it must exist.
CostClass costClassOf(llvm::StringRef Name);

struct InstructionCost {
  llvm::SmallVector<std::pair<CostClass, uint64_t>, 2> Amounts;
  // An uncounted or assumed part, and the reason; both empty if all is exact.
  std::string What, Why;

  void add(CostClass Class, uint64_t Amount) {
    if (Amount > 0)
      Amounts.push_back({Class, Amount});
  }
  void uncounted(std::string TheWhat, std::string TheWhy) {
    What = std::move(TheWhat);
    Why = std::move(TheWhy);
  }
};

/// The cost of the instruction alone: a call of a function with a body costs nothing here. Without uniformity
/// no access is known to be uniform. Without contractions each product, sum and quotient is taken as written.
InstructionCost costOf(const llvm::Instruction &I, const WarpUniformity *U = nullptr, const Contractions *C = nullptr);

} // namespace gpuprof
#endif
