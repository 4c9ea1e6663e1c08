// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The open regions at an instruction, while the front end's markers are still in the code.
#ifndef GPUPROF_DIRECTIVES_REGIONFLOW_H
#define GPUPROF_DIRECTIVES_REGIONFLOW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace llvm {
class BasicBlock;
class CallInst;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace gpuprof {

/// The open regions at a point, outermost first, each named by its call of the enter marker.
using OpenRegions = llvm::SmallVector<llvm::CallInst *, 4>;

/// The call, if the instruction is a call of the marker.
llvm::CallInst *asMarker(llvm::Instruction &I, llvm::StringRef Name);
/// The variable of the marked scope, storing an enter marker's result.
llvm::Value *scopeVariable(llvm::CallInst &Enter);
/// The description passed by an enter marker; empty if unreadable.
std::string descriptionOf(const llvm::CallInst &Enter);

class RegionFlow {
public:
  explicit RegionFlow(llvm::Function &F);

  /// Calls Each(instruction, open regions) for every reachable instruction except markers. Calls Entered(open
  /// regions, the new one last) at the start of a region.
  void forEach(llvm::Function &F, llvm::function_ref<void(llvm::Instruction &, llvm::ArrayRef<llvm::CallInst *>)> Each,
               llvm::function_ref<void(llvm::ArrayRef<llvm::CallInst *>)> Entered = nullptr);

private:
  bool step(llvm::Instruction &I, OpenRegions &Open) const;
  bool visit(llvm::BasicBlock &BB);

  // A kernel's own region begins before the compiler's code in front of the body (arguments kept in memory).
  OpenRegions WholeFunction;
  llvm::DenseMap<const llvm::BasicBlock *, std::optional<OpenRegions>> Entry;
  llvm::DenseMap<const llvm::BasicBlock *, OpenRegions> Exit;
};

} // namespace gpuprof
#endif
