// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions omitted by ptxas because of their neighbours, as found in machine code for sm_90.
#ifndef GPUPROF_COSTS_FOLDINGS_H
#define GPUPROF_COSTS_FOLDINGS_H

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace gpuprof {

class Contractions;

/// The reason why a PTX instruction is not executed.
enum class Folding {
  None,
  Scale,      ///< a product by a power of two is the modifier of the product before it (FMUL.D4)
  MaybeScale, ///< the same, unless ptxas negates the factor instead: negative factors have no modifier
  HalfSum,    ///< a half product and this sum, both inline PTX without rounding, are one HFMA2
  Merged,     ///< an equal instruction with equal operands was executed; inline PTX hides this from LLVM
  ByOne,      ///< a product by 1, hidden from LLVM by inline PTX
  Constant    ///< a conversion of a constant by inline PTX
};

class Foldings {
public:
  Foldings(llvm::Function &F, const Contractions &Selection);
  Folding of(const llvm::Instruction &I) const { return Known.lookup(&I); }

private:
  llvm::DenseMap<const llvm::Instruction *, Folding> Known; // without None
};

} // namespace gpuprof
#endif
