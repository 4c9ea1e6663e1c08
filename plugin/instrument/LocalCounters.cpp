// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/LocalCounters.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <set>

using namespace llvm;

namespace gpuprof {

namespace {

bool isWorthBits(ArrayRef<uint64_t> Most) {
  return count_if(Most, [](uint64_t Limit) { return Limit <= 1; }) >= FewestForBits;
}

} // namespace

// The variable of the group's word, and the group's place in it.
void LocalCounters::addToWord(IRBuilder<> &Builder, unsigned Group, bool AreBits) {
  const unsigned InWord = AreBits ? BitGroups : PackedGroups, Start = Group / InWord * InWord;
  auto [Word, New] = Words.try_emplace(Start, Variables.size());
  if (New) {
    LocalCount Holds;
    Holds.Group = Start;
    Holds.Most = 1;
    (AreBits ? Holds.IsBits : Holds.IsPacked) = true;
    Variables.push_back(
        {Builder.CreateAlloca(Builder.getInt32Ty(), nullptr, "gpuprof.count"), Builder.getInt32Ty(), Holds});
  }
  Variables[Word->second].Holds.Used |= uint32_t(1) << (Group - Start);
  Places.push_back({Word->second, (Group - Start) * (AreBits ? 1 : PackedBits)});
}

LocalCounters::LocalCounters(Function &F, ArrayRef<uint64_t> Most, Packing Pack) : F(F) {
  IRBuilder<> Builder(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  const bool AreBits = Pack == Packing::Many && isWorthBits(Most);
  for (auto [Counter, Limit] : enumerate(Most)) {
    const unsigned Group = static_cast<unsigned>(Counter);
    if (Pack != Packing::None && Limit <= 1) {
      addToWord(Builder, Group, AreBits);
      continue;
    }
    Type *T = Pack != Packing::None && Limit <= UINT32_MAX ? Builder.getInt32Ty() : Builder.getInt64Ty();
    Variables.push_back({Builder.CreateAlloca(T, nullptr, "gpuprof.count"), T, {nullptr, Group, Limit, 0}});
    Places.push_back({Variables.size() - 1, 0});
  }
  Instruction *I = &*Builder.GetInsertPoint();
  while (isa<AllocaInst>(I))
    I = I->getNextNode();
  First = I;
  Builder.SetInsertPoint(First);
  reset(Builder);
}

LocalCounters::LocalCounters(Function &F, ArrayRef<uint64_t> Most, const BitVector &InRegisters,
                             const CounterRow &Row, ArrayRef<unsigned> Groups, Instruction &First)
    : F(F), Row(Row), First(&First) {
  IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt()), Builder(&First);
  for (auto [Counter, Limit] : enumerate(Most)) {
    const unsigned Group = static_cast<unsigned>(Counter);
    if (Limit <= 1) {
      addToWord(Entry, Group, true);
      continue;
    }
    Places.push_back({Variables.size(), 0});
    Type *T = Limit <= UINT32_MAX ? Builder.getInt32Ty() : Builder.getInt64Ty();
    if (InRegisters.test(Group)) {
      Variables.push_back({Entry.CreateAlloca(T, nullptr, "gpuprof.count"), T, {nullptr, Group, Limit, 0}});
    } else {
      Variables.push_back({nullptr, T, {nullptr, Groups[Counter], Limit, 0}});
    }
  }
  for (const Variable &V : Variables)
    if (!V.isInMemory())
      Builder.CreateStore(ConstantInt::get(V.T, 0), V.Memory);
}

unsigned LocalCounters::registersFor(ArrayRef<uint64_t> Most) {
  unsigned Short = 0, Long = 0;
  std::set<size_t> Words;
  const unsigned InWord = isWorthBits(Most) ? BitGroups : PackedGroups;
  for (auto [Counter, Limit] : enumerate(Most))
    if (Limit <= 1)
      Words.insert(Counter / InWord);
    else
      ++(Limit <= UINT32_MAX ? Short : Long);
  return static_cast<unsigned>(Words.size()) + Short + 2 * Long;
}

void LocalCounters::add(IRBuilder<> &Builder, size_t Counter, Value *Amount) {
  const Place &P = Places[Counter];
  const Variable &V = Variables[P.Variable];
  if (V.isInMemory())
    return addToRow(Builder, Row, {{V.Holds.Group, Amount}});
  AllocaInst *Memory = V.Memory;
  Type *T = V.T;
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
  assert(!V.isInMemory() && "it has no value here");
  Value *Count = Builder.CreateLoad(V.T, V.Memory);
  if (V.Holds.IsPacked || V.Holds.IsBits) // one or nothing: the further bits are for the sum over a warp
    Count = Builder.CreateAnd(P.Shift ? Builder.CreateLShr(Count, P.Shift) : Count, uint64_t(1));
  return Builder.CreateZExt(Count, Builder.getInt64Ty());
}

void LocalCounters::reset(IRBuilder<> &Builder) {
  for (const Variable &V : Variables) {
    assert(!V.isInMemory() && "what is in the row stays there");
    Builder.CreateStore(ConstantInt::get(V.T, 0), V.Memory);
  }
}

SmallVector<Value *, 16> LocalCounters::load(IRBuilder<> &Builder) const {
  SmallVector<Value *, 16> Values;
  for (const Variable &V : Variables) {
    assert(!V.isInMemory() && "it has no value here");
    Values.push_back(Builder.CreateLoad(V.T, V.Memory));
  }
  return Values;
}

SmallVector<LocalCount, 16> LocalCounters::loadForFlush(IRBuilder<> &Builder) const {
  SmallVector<LocalCount, 16> Counts;
  for (const Variable &V : Variables)
    if (!V.isInMemory()) {
      Counts.push_back(V.Holds);
      Counts.back().Count = Builder.CreateLoad(V.T, V.Memory);
    }
  return Counts;
}

void LocalCounters::promote() {
  SmallVector<AllocaInst *, 16> Memory;
  for (const Variable &V : Variables)
    if (!V.isInMemory())
      Memory.push_back(V.Memory);
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
