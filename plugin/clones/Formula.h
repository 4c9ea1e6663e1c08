// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas: the control flow of a kernel as text, from which the runtime finds the counts of a launch on the host
// (docs/developer/formulas.md).
#ifndef GPUPROF_CLONES_FORMULA_H
#define GPUPROF_CLONES_FORMULA_H

#include "clones/CloneSlice.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

struct SectorMarkers;

/// Called at each end of a thread in a copy that becomes a formula: the arguments are the counts, i64, by group.
constexpr llvm::StringLiteral FormulaCounts = "gpuprof.formula.counts";

struct Formula {
  std::string Text;
  unsigned Steps = 0; ///< instructions
  std::string Why;    ///< reason for none, or nothing
};

/// The formula of a reduced and simplified copy. `Reads` are the argument bytes that the kernel's clone reads: launches
/// alike in them have the same counts, so the formula may read no others. With `Marks` the copy is an address clone, whose
/// calls of these functions become marks; its last argument is not read.
Formula formulaOf(llvm::Function &Copy, llvm::ArrayRef<CloneRead> Reads, const SectorMarkers *Marks = nullptr);

} // namespace gpuprof
#endif
