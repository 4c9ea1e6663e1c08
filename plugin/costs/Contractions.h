// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of NVPTX's instruction selection for adjacent products, sums and square roots.
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

/// Products permitted to become part of an fma.
enum class ContractionMode {
  Flagged, ///< those with the flag `contract`, in sums with the flag, too
  All      ///< all: -ffp-contract=fast, clang's default for CUDA
};

/// The form of one IR instruction after instruction selection.
enum class Selected {
  AsWritten,
  Gone,              ///< nothing is left: all its users contain it
  Fma,               ///< a sum containing a product
  Product,           ///< a quotient as a product with a shared reciprocal
  ReciprocalProduct, ///< the same, and the reciprocal is computed here
  Reciprocal,        ///< the reciprocal alone: sums contain the product
  ReciprocalRoot     ///< a reciprocal containing an approximate square root
};

/// Prediction for the blocks of a function. It follows LLVM's DAG combiner, one block at a time, from its
/// last instruction to its first. It contracts aggressively for NVPTX: a product with other users stays
/// beside the fma.
class Contractions {
public:
  Contractions(const llvm::Function &F, ContractionMode Mode);
  Selected of(const llvm::Instruction &I) const { return Known.lookup(&I); }
  /// The product within the fma of a sum; otherwise null.
  const llvm::Instruction *productOf(const llvm::Instruction &Sum) const { return Contained.lookup(&Sum); }

private:
  llvm::DenseMap<const llvm::Instruction *, Selected> Known; // without AsWritten ones
  llvm::DenseMap<const llvm::Instruction *, const llvm::Instruction *> Contained;
};

/// Prints the contracted instructions, and for each function the remaining numbers of sums, products and
/// fmas.
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
