// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What instruction selection for NVPTX makes of products, sums and square roots that stand together.
#ifndef GPUPROF_COSTS_CONTRACTIONS_H
#define GPUPROF_COSTS_CONTRACTIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Instruction;
class raw_ostream;
} // namespace llvm

namespace gpuprof {

/// Which products may become part of an fma.
enum class ContractionMode {
  Flagged, ///< those with the flag `contract`, in sums that have it too
  All      ///< all: -ffp-contract=fast, clang's default for CUDA
};

/// What one instruction of IR is after instruction selection.
enum class Selected {
  AsWritten,
  Gone,              ///< nothing is left: all its users contain it
  Fma,               ///< a sum that contains a product
  Product,           ///< a quotient that is multiplied by a shared reciprocal
  ReciprocalProduct, ///< the same, and the reciprocal is computed here
  Reciprocal,        ///< the reciprocal alone: sums contain the product
  ReciprocalRoot     ///< a reciprocal that contains an approximate square root
};

/// Prediction for the blocks of a function. It follows LLVM's DAG combiner, which sees one block at a time,
/// from its last instruction to its first, and contracts aggressively for NVPTX: a product that has other
/// users stays beside the fma.
class Contractions {
public:
  Contractions(const llvm::Function &F, ContractionMode Mode);
  Selected of(const llvm::Instruction &I) const { return Known.lookup(&I); }

private:
  llvm::DenseMap<const llvm::Instruction *, Selected> Known; // without those AsWritten
};

/// Prints the contracted instructions, and for each function how many sums, products and fmas are left.
class ContractionsPrinterPass : public llvm::PassInfoMixin<ContractionsPrinterPass> {
public:
  ContractionsPrinterPass(llvm::raw_ostream &OS, ContractionMode Mode) : OS(OS), Mode(Mode) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
  ContractionMode Mode;
};

} // namespace gpuprof
#endif
