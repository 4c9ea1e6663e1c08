// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/FlowRelations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace gpuprof {
namespace {

// A longer sum costs a thread's end more than the counter costs.
constexpr size_t MostTerms = 6;

void addTo(GroupSum &Sum, unsigned Group, int Factor) {
  int &Known = Sum[Group];
  if (!(Known += Factor))
    Sum.erase(Group);
}

// Makes Sum independent of a group, which is `By` solved for it.
void substitute(GroupSum &Sum, unsigned Group, const GroupSum &By) {
  auto Found = Sum.find(Group);
  if (Found == Sum.end())
    return;
  const int Factor = Found->second;
  Sum.erase(Found);
  for (auto [Other, Times] : By)
    addTo(Sum, Other, Factor * Times);
}

bool isUnit(int Factor) { return Factor == 1 || Factor == -1; }

// The group as a sum of the other ones of a relation.
GroupSum solve(const GroupSum &Relation, unsigned Group) {
  const int Own = Relation.at(Group);
  assert(isUnit(Own) && "counts are whole numbers");
  GroupSum Is;
  for (auto [Other, Factor] : Relation)
    if (Other != Group)
      Is[Other] = -Own * Factor;
  return Is;
}

// The shortest relation that can be solved for the group; the end: there is none.
auto bestFor(std::vector<GroupSum> &Relations, unsigned Group) {
  auto Best = Relations.end();
  for (auto It = Relations.begin(); It != Relations.end(); ++It) {
    auto Found = It->find(Group);
    if (Found != It->end() && isUnit(Found->second) && (Best == Relations.end() || It->size() < Best->size()))
      Best = It;
  }
  return Best;
}

class Flow {
public:
  Flow(const DenseMap<const BasicBlock *, BasicBlock *> &Counting, const DenseMap<const BasicBlock *, unsigned> &GroupOf)
      : Counting(Counting), GroupOf(GroupOf) {
    for (auto [Block, Group] : GroupOf)
      FirstUncounted = std::max(FirstUncounted, Group + 1);
  }

  std::vector<GroupSum> find(const Function &F) {
    for (const BasicBlock &BB : F) {
      if (!Counting.count(&BB))
        continue;
      addSides(BB);
      addWays(BB);
    }
    dropUncounted();
    erase_if(Relations, [](const GroupSum &Sum) { return Sum.empty(); });
    return std::move(Relations);
  }

private:
  unsigned numberOf(const BasicBlock &BB) {
    const BasicBlock *Counter = Counting.lookup(&BB);
    auto Known = GroupOf.find(Counter);
    if (Known != GroupOf.end())
      return Known->second;
    return Uncounted.try_emplace(Counter, FirstUncounted + static_cast<unsigned>(Uncounted.size())).first->second;
  }

  // All ways from a block lead to blocks that have no other way to them.
  void addSides(const BasicBlock &BB) {
    if (succ_size(&BB) < 2 || any_of(successors(&BB), [](const BasicBlock *To) { return !To->getSinglePredecessor(); }))
      return;
    GroupSum Sum{{numberOf(BB), 1}};
    for (const BasicBlock *To : successors(&BB))
      addTo(Sum, numberOf(*To), -1);
    Relations.push_back(std::move(Sum));
  }

  // All ways to a block are the only ones from where they begin.
  void addWays(const BasicBlock &BB) {
    if (pred_size(&BB) < 2 || any_of(predecessors(&BB), [&](const BasicBlock *From) {
          return succ_size(From) != 1 || !Counting.count(From);
        }))
      return;
    GroupSum Sum{{numberOf(BB), 1}};
    for (const BasicBlock *From : predecessors(&BB))
      addTo(Sum, numberOf(*From), -1);
    Relations.push_back(std::move(Sum));
  }

  void dropUncounted() {
    for (auto [Block, Number] : Uncounted) {
      auto By = bestFor(Relations, Number);
      if (By != Relations.end()) {
        const GroupSum Is = solve(*By, Number);
        Relations.erase(By);
        for (GroupSum &Sum : Relations)
          substitute(Sum, Number, Is);
      }
    }
    erase_if(Relations, [&](const GroupSum &Sum) { return !Sum.empty() && Sum.rbegin()->first >= FirstUncounted; });
  }

  const DenseMap<const BasicBlock *, BasicBlock *> &Counting;
  const DenseMap<const BasicBlock *, unsigned> &GroupOf;
  unsigned FirstUncounted = 0;
  DenseMap<const BasicBlock *, unsigned> Uncounted;
  std::vector<GroupSum> Relations;
};

} // namespace

std::vector<GroupSum> flowRelations(const Function &F, const DenseMap<const BasicBlock *, BasicBlock *> &Counting,
                                    const DenseMap<const BasicBlock *, unsigned> &GroupOf) {
  return Flow(Counting, GroupOf).find(F);
}

SmallVector<ImpliedCount, 4> impliedCounts(std::vector<GroupSum> Relations, ArrayRef<unsigned> Wanted) {
  SmallVector<ImpliedCount, 4> Implied;
  for (unsigned Group : Wanted) {
    auto By = bestFor(Relations, Group);
    if (By == Relations.end() || By->size() > MostTerms)
      continue;
    const GroupSum Is = solve(*By, Group);
    SmallVector<ImpliedCount, 4> Changed(Implied);
    for (ImpliedCount &Earlier : Changed)
      substitute(Earlier.Is, Group, Is);
    if (any_of(Changed, [](const ImpliedCount &Earlier) { return Earlier.Is.size() > MostTerms; }))
      continue;
    Implied = std::move(Changed);
    Implied.push_back({Group, Is});
    Relations.erase(By);
    for (GroupSum &Sum : Relations)
      substitute(Sum, Group, Is);
  }
  return Implied;
}

} // namespace gpuprof
