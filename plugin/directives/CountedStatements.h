// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements of inline PTX that count executions of their own instructions.
#ifndef GPUPROF_DIRECTIVES_COUNTEDSTATEMENTS_H
#define GPUPROF_DIRECTIVES_COUNTEDSTATEMENTS_H

#include "ptx/Ptx.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace llvm {
class CallInst;
class Module;
class Value;
} // namespace llvm

namespace gpuprof {

/// True if each thread reaches the end of the statement: only there its counts are known.
bool reachesEnd(const ptx::Program &Program);

/// A statement that took the place of another.
struct CountedStatement {
  llvm::CallInst *Call;
  /// For each counted instruction its number of executions by the thread, i32, behind the statement.
  std::vector<llvm::Value *> Counts;
  /// For each instruction of its text its index in the former text; NotThere: it counts.
  static constexpr size_t NotThere = ~size_t(0);
  std::vector<size_t> Former;
};

/// Replaces a statement by one with a counter in front of each of these instructions, in the order of the
/// text. A counter is an output of the statement, added behind its own: results and operands stay.
CountedStatement countInStatement(llvm::CallInst &Call, const ptx::Program &Program, llvm::ArrayRef<size_t> Counted);

/// Puts back each former statement where nothing uses the counts: in kernels beside their twins, or not counted.
void restoreUncountedStatements(llvm::Module &M);

} // namespace gpuprof
#endif
