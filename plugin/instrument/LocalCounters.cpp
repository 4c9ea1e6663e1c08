// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/LocalCounters.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <map>
#include <set>

using namespace llvm;

namespace gpuprof {

LocalCounters::LocalCounters(Function &F, ArrayRef<uint64_t> Most, bool Pack) : F(F) {
  IRBuilder<> Builder(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  auto Create = [&](Type *T, LocalCount Holds) {
    Variables.push_back({Builder.CreateAlloca(T, nullptr, "gpuprof.count"), T, Holds});
  };
  std::map<unsigned, size_t> Words; // by their first group
  for (size_t Counter = 0; Counter < Most.size(); ++Counter) {
    const unsigned Group = static_cast<unsigned>(Counter);
    if (Pack && Most[Counter] <= 1) {
      const unsigned Start = Group / PackedGroups * PackedGroups;
      auto [Word, New] = Words.try_emplace(Start, Variables.size());
      if (New)
        Create(Builder.getInt32Ty(), {nullptr, Start, 1, true});
      Places.push_back({Word->second, (Group - Start) * PackedBits});
      continue;
    }
    const bool IsShort = Pack && Most[Counter] <= UINT32_MAX;
    Create(IsShort ? Builder.getInt32Ty() : Builder.getInt64Ty(), {nullptr, Group, Most[Counter], false});
    Places.push_back({Variables.size() - 1, 0});
  }
  Instruction *I = &*Builder.GetInsertPoint();
  while (isa<AllocaInst>(I))
    I = I->getNextNode();
  First = I;
  Builder.SetInsertPoint(First);
  reset(Builder);
}

LocalCounters::LocalCounters(Function &F, ArrayRef<uint64_t> Most, const BitVector &InRegisters, Value &Array,
                             Instruction &First)
    : F(F), First(&First) {
  IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt()), Builder(&First);
  for (auto [Counter, Limit] : enumerate(Most)) {
    const unsigned Group = static_cast<unsigned>(Counter);
    Places.push_back({Variables.size(), 0});
    if (InRegisters.test(Group)) {
      Type *T = Limit <= UINT32_MAX ? Builder.getInt32Ty() : Builder.getInt64Ty();
      Variables.push_back({Entry.CreateAlloca(T, nullptr, "gpuprof.count"), T, {nullptr, Group, Limit, false}});
      Builder.CreateStore(ConstantInt::get(T, 0), Variables.back().Memory);
    } else {
      Value *Element = Builder.CreateConstInBoundsGEP1_64(Builder.getInt64Ty(), &Array, Group);
      Variables.push_back({Element, Builder.getInt64Ty(), {}});
    }
  }
}

unsigned LocalCounters::registersFor(ArrayRef<uint64_t> Most) {
  unsigned Short = 0, Long = 0;
  std::set<size_t> Words;
  for (auto [Counter, Limit] : enumerate(Most))
    if (Limit <= 1)
      Words.insert(Counter / PackedGroups);
    else
      ++(Limit <= UINT32_MAX ? Short : Long);
  return static_cast<unsigned>(Words.size()) + Short + 2 * Long;
}

void LocalCounters::add(IRBuilder<> &Builder, size_t Counter, Value *Amount) {
  const Place &P = Places[Counter];
  Value *Memory = Variables[P.Variable].Memory;
  Type *T = Variables[P.Variable].T;
  Value *Added = Builder.CreateZExtOrTrunc(Amount, T);
  if (P.Shift > 0)
    Added = Builder.CreateShl(Added, P.Shift);
  Value *Sum = Builder.CreateAdd(Builder.CreateLoad(T, Memory), Added);
  Sums.push_back(Sum);
  Builder.CreateStore(Sum, Memory);
}

Value *LocalCounters::value(IRBuilder<> &Builder, size_t Counter) const {
  const Place &P = Places[Counter];
  const Variable &V = Variables[P.Variable];
  Value *Count = Builder.CreateLoad(V.T, V.Memory);
  if (V.Holds.IsPacked)
    Count = Builder.CreateAnd(P.Shift ? Builder.CreateLShr(Count, P.Shift) : Count, (uint64_t(1) << PackedBits) - 1);
  return Builder.CreateZExt(Count, Builder.getInt64Ty());
}

void LocalCounters::reset(IRBuilder<> &Builder) {
  for (const Variable &V : Variables)
    Builder.CreateStore(ConstantInt::get(V.T, 0), V.Memory);
}

SmallVector<Value *, 16> LocalCounters::load(IRBuilder<> &Builder) const {
  SmallVector<Value *, 16> Values;
  for (const Variable &V : Variables)
    Values.push_back(Builder.CreateLoad(V.T, V.Memory));
  return Values;
}

SmallVector<LocalCount, 16> LocalCounters::loadForFlush(IRBuilder<> &Builder) const {
  SmallVector<LocalCount, 16> Counts;
  for (const Variable &V : Variables)
    if (isa<AllocaInst>(V.Memory)) {
      Counts.push_back(V.Holds);
      Counts.back().Count = Builder.CreateLoad(V.T, V.Memory);
    }
  return Counts;
}

void LocalCounters::promote() {
  SmallVector<AllocaInst *, 16> Memory;
  for (const Variable &V : Variables)
    if (auto *Register = dyn_cast<AllocaInst>(V.Memory))
      Memory.push_back(Register);
  DominatorTree Dominators(F);
  PromoteMemToReg(Memory, Dominators);
  // Most counters begin with a constant sum.
  const SimplifyQuery Query(F.getParent()->getDataLayout());
  for (const WeakTrackingVH &Handle : Sums)
    if (auto *Sum = dyn_cast_or_null<Instruction>(Handle))
      if (Value *Known = simplifyInstruction(Sum, Query)) {
        Sum->replaceAllUsesWith(Known);
        Sum->eraseFromParent();
      }
}

} // namespace gpuprof
