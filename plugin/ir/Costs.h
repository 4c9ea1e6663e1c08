// What one execution of an instruction adds to which cost class.
#ifndef GPUPROF_IR_COSTS_H
#define GPUPROF_IR_COSTS_H

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

class Uniformity;

enum class CostClass : unsigned {
#define GPUPROF_COST(Identifier, Group, Key, Flops) Identifier,
#include "gpuprof/cost_classes.inc"
  Number
};

llvm::StringRef costClassName(CostClass Class);

struct InstructionCost {
  llvm::SmallVector<std::pair<CostClass, uint64_t>, 2> Amounts;
  // What is not counted, or counted on an assumption, and why; both empty if all is exact.
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

/// The cost of the instruction alone: a call of a function with a body costs nothing here. Without uniformity no
/// access is known to be uniform.
InstructionCost costOf(const llvm::Instruction &I, const Uniformity *U = nullptr);

/// The cost of an inline assembly (PtxCosts.cpp).
InstructionCost costOfPtx(llvm::StringRef Text);

/* ---- Shared by instructions and PTX ------------------------------------------------------------------------- */

enum class CostKind { Add, Mul, Fma, Div, Sqrt, Reciprocal, Special, Integer, Compare, Convert, Free };
enum class Precision { Integer, Fp16, Bf16, Fp32, Fp64 };

/// A type as intrinsics and PTX spell it: "f", "f32", "bf16x2", "d", "s32". False if it is no such word.
bool parseTypeName(llvm::StringRef Name, Precision &P, unsigned &Elements);

void addOperation(InstructionCost &Cost, CostKind Kind, Precision P, uint64_t Elements, bool Approximate);

/// A matrix product named by its pieces (…m16n8k16…bf16…), by `Threads` threads together. False: not understood.
bool addMatrixProduct(InstructionCost &Cost, llvm::ArrayRef<llvm::StringRef> Pieces, unsigned Threads);

/// Prints the cost of every instruction that has one, and what is uncounted.
class CostsPrinterPass : public llvm::PassInfoMixin<CostsPrinterPass> {
public:
  explicit CostsPrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

} // namespace gpuprof
#endif
