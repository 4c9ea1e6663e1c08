// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow as equations between counts: what enters a branch leaves it by one of its sides. Counts that follow from
// others need no counter.
#ifndef GPUPROF_ANALYSIS_FLOWRELATIONS_H
#define GPUPROF_ANALYSIS_FLOWRELATIONS_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace gpuprof {

/// The sum of factor * count over these groups; as a relation it is zero. No factor is zero.
using GroupSum = std::map<unsigned, int>;

/// Relations between the groups that have a number, in every thread that returns from the function. `Counting` is
/// countingBlocks(), `GroupOf` has the numbers of the blocks counting for others.
std::vector<GroupSum> flowRelations(const llvm::Function &F,
                                    const llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> &Counting,
                                    const llvm::DenseMap<const llvm::BasicBlock *, unsigned> &GroupOf);

struct ImpliedCount {
  unsigned Group;
  GroupSum Is; // of groups with counters
};

/// Of the groups in `Wanted`, in the order of preference, those that follow from groups outside the result.
llvm::SmallVector<ImpliedCount, 4> impliedCounts(std::vector<GroupSum> Relations, llvm::ArrayRef<unsigned> Wanted);

} // namespace gpuprof
#endif
