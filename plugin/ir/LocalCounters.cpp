#include "ir/LocalCounters.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <map>

using namespace llvm;

namespace gpuprof {

LocalCounters::LocalCounters(Function &F, ArrayRef<uint64_t> Most, bool Pack) : F(F) {
  IRBuilder<> Builder(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  auto Create = [&](Type *T, LocalCount Holds) {
    Variables.push_back({Builder.CreateAlloca(T, nullptr, "gpuprof.count"), Holds});
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

void LocalCounters::add(IRBuilder<> &Builder, size_t Counter, Value *Amount) {
  const Place &P = Places[Counter];
  AllocaInst *Memory = Variables[P.Variable].Memory;
  Type *T = Memory->getAllocatedType();
  Value *Added = Builder.CreateZExtOrTrunc(Amount, T);
  if (P.Shift > 0)
    Added = Builder.CreateShl(Added, P.Shift);
  Value *Sum = Builder.CreateAdd(Builder.CreateLoad(T, Memory), Added);
  Sums.push_back(Sum);
  Builder.CreateStore(Sum, Memory);
}

void LocalCounters::reset(IRBuilder<> &Builder) {
  for (const Variable &V : Variables)
    Builder.CreateStore(ConstantInt::get(V.Memory->getAllocatedType(), 0), V.Memory);
}

SmallVector<Value *, 16> LocalCounters::load(IRBuilder<> &Builder) const {
  SmallVector<Value *, 16> Values;
  for (const Variable &V : Variables)
    Values.push_back(Builder.CreateLoad(V.Memory->getAllocatedType(), V.Memory));
  return Values;
}

SmallVector<LocalCount, 16> LocalCounters::loadForFlush(IRBuilder<> &Builder) const {
  SmallVector<LocalCount, 16> Counts;
  for (auto [V, Value] : zip(Variables, load(Builder))) {
    Counts.push_back(V.Holds);
    Counts.back().Count = Value;
  }
  return Counts;
}

void LocalCounters::promote() {
  SmallVector<AllocaInst *, 16> Memory;
  for (const Variable &V : Variables)
    Memory.push_back(V.Memory);
  DominatorTree Dominators(F);
  PromoteMemToReg(Memory, Dominators);
  // Most counters begin with a sum that is known now.
  const SimplifyQuery Query(F.getParent()->getDataLayout());
  for (const WeakTrackingVH &Handle : Sums)
    if (auto *Sum = dyn_cast_or_null<Instruction>(Handle))
      if (Value *Known = simplifyInstruction(Sum, Query)) {
        Sum->replaceAllUsesWith(Known);
        Sum->eraseFromParent();
      }
}

} // namespace gpuprof
