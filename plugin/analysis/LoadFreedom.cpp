// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/LoadFreedom.h"

#include "analysis/LaneSharing.h"
#include "analysis/LoopAnalyses.h"
#include "analysis/WiderLoads.h"
#include "common/Compat.h"
#include "costs/Spaces.h"
#include "costs/WarpUniformity.h"
#include "directives/DirectiveLowering.h"
#include "ptx/Ptx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <memory>
#include <optional>

using namespace llvm;

namespace gpuprof {
namespace {

/* ---- Stores and barriers, as ptxas sees them ---- */

// ptxas reads inline PTX: its clobbers and `volatile` are words for the compiler alone.
bool mayStatementStore(const InlineAsm &Asm) {
  static const StringSet<> Pure = {"mov", "cvt", "add", "sub", "mul", "mad", "fma", "neg", "abs", "min", "max", "shl", "shr",
                                   "and", "or", "xor", "not", "lop3", "shf", "prmt", "bfe", "bfi", "bfind", "brev", "popc",
                                   "clz", "setp", "set", "selp", "slct", "shfl", "vote", "match", "activemask", "rcp", "div",
                                   "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh", "cvta", "mma", "dp4a", "dp2a"};
  const ptx::Program Program = ptx::parse(compat::asmText(Asm));
  return !Program.Error.empty() ||
         any_of(Program.Instructions, [](const ptx::Instruction &I) { return !Pure.count(I.Opcode[0]); });
}

const Value *storedTo(const Instruction &I) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->getPointerOperand();
  if (const auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return Update->getPointerOperand();
  if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Exchange->getPointerOperand();
  if (const auto *Fill = dyn_cast<MemIntrinsic>(&I))
    return Fill->getRawDest();
  return nullptr;
}

// True if the instruction may change memory of the space, or orders accesses to it.
bool mayChange(const Instruction &I, Space S) {
  if (!I.mayWriteToMemory() || asDirectiveCall(I) || isDirectiveOnly(I))
    return false;
  if (const Value *Pointer = storedTo(I)) {
    const Space Stored = spaceOf(*Pointer);
    return Stored == Space::Unknown || Stored == S;
  }
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return true;
  if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return mayStatementStore(*Asm);
  const auto *Known = dyn_cast<IntrinsicInst>(Call);
  return !Known ||
         !(Known->onlyAccessesInaccessibleMemory() || Known->isLifetimeStartOrEnd() || Known->isAssumeLikeIntrinsic());
}

class Changes {
public:
  bool by(const Instruction &I, Space S) {
    if (!I.mayWriteToMemory())
      return false;
    auto [Slot, New] = Known.try_emplace({&I, static_cast<unsigned>(S)}, false);
    if (New)
      Slot->second = mayChange(I, S);
    return Slot->second;
  }
  bool within(const Loop &L, Space S) {
    return any_of(L.blocks(),
                  [&](const BasicBlock *BB) { return any_of(*BB, [&](const Instruction &I) { return by(I, S); }); });
  }

private:
  DenseMap<std::pair<const Instruction *, unsigned>, bool> Known;
};

// Loads of arguments that nothing changes are ld.global.nc: they need not see any store.
bool isReadOnly(const LoadInst &Load) {
  if (Load.hasMetadata(LLVMContext::MD_invariant_load))
    return true;
  const auto *From = dyn_cast<Argument>(getUnderlyingObject(Load.getPointerOperand()));
  return From && compat::isKernel(*From->getParent()) && From->hasNoAliasAttr() && From->onlyReadsMemory();
}

/* ---- Loads merged with earlier ones ---- */

uint64_t bytesOf(const LoadInst &Load) { return Load.getModule()->getDataLayout().getTypeStoreSize(Load.getType()); }

// The loads beside one pointer, and their distances from it.
using Beside = SmallVector<std::pair<const LoadInst *, int64_t>, 4>;

// The loads of memory from the distance Offset on.
SmallPtrSet<const Instruction *, 4> loadsOf(const Beside &All, int64_t Offset, uint64_t Bytes) {
  SmallPtrSet<const Instruction *, 4> Found;
  for (const auto &[Load, At] : All)
    if (At <= Offset && Offset + static_cast<int64_t>(Bytes) <= At + static_cast<int64_t>(bytesOf(*Load)))
      Found.insert(Load);
  return Found;
}

// Each way to the load has passed one of the sources before, with nothing stored between. They read beside one value: it
// changes where it stands.
bool isLoadedBefore(const LoadInst &Load, const Value *Base, const SmallPtrSetImpl<const Instruction *> &Sources, Space S,
                    Changes &Changed) {
  constexpr size_t MostBlocks = 64;
  const bool Stays = isReadOnly(Load);
  SmallVector<const BasicBlock *, 8> Worklist;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  // True if the search ends in the instructions from Last up; nothing: it fails.
  auto Ends = [&](const Instruction *Last) -> std::optional<bool> {
    for (const Instruction *I = Last; I; I = I->getPrevNode()) {
      if (Sources.contains(I))
        return true;
      if (I == Base || (!Stays && Changed.by(*I, S)))
        return std::nullopt;
    }
    return false;
  };
  auto Enter = [&](const BasicBlock &BB) {
    for (const BasicBlock *Before : predecessors(&BB))
      if (Seen.insert(Before).second)
        Worklist.push_back(Before);
    return pred_begin(&BB) != pred_end(&BB);
  };
  const std::optional<bool> Own = Ends(Load.getPrevNode());
  if (!Own || *Own)
    return Own.has_value();
  if (!Enter(*Load.getParent()))
    return false;
  while (!Worklist.empty()) {
    const BasicBlock *BB = Worklist.pop_back_val();
    if (Seen.size() > MostBlocks)
      return false;
    const std::optional<bool> Ended = Ends(&BB->back());
    if (!Ended || (!*Ended && !Enter(*BB)))
      return false;
  }
  return true;
}

// The bytes of a load that earlier ones have loaded. The code generator splits one that is aligned to less than its size.
uint64_t bytesLoadedBefore(const LoadInst &Load, const Value *Base, int64_t Offset, const Beside &All, Space S,
                           Changes &Changed) {
  if (All.size() < 2)
    return 0;
  const uint64_t Bytes = bytesOf(Load), Piece = std::min(Load.getAlign().value(), Bytes);
  uint64_t Known = 0;
  for (uint64_t At = 0; At + Piece <= Bytes; At += Piece) {
    const auto Sources = loadsOf(All, Offset + static_cast<int64_t>(At), Piece);
    if (Sources.size() > 1 && isLoadedBefore(Load, Base, Sources, S, Changed)) // besides itself
      Known += Piece;
  }
  return Known;
}

// Of a pair of halves only one may be used, by cuda_fp16.h's statements: ptxas loads that one alone. Its bytes, or 0.
uint64_t bytesUnused(const LoadInst &Load) {
  constexpr uint64_t PairBytes = 4;
  if (bytesOf(Load) != PairBytes || Load.use_empty())
    return 0;
  const auto AllTake = [&](StringRef Half) {
    return all_of(Load.users(), [&](const User *U) {
      const auto *Call = dyn_cast<CallBase>(U);
      const auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
      const std::string Text = Asm ? compat::asmText(*Asm) : "";
      return StringRef(Text).contains("{low,high}, $1") && StringRef(Text).contains(("mov.b16 $0, " + Half + ";").str());
    });
  };
  return AllTake("low") || AllTake("high") ? PairBytes / 2 : 0;
}

/* ---- Loads moved before loops ---- */

struct Move {
  const Loop *L = nullptr; // null: the load stays
  uint64_t Times = 1;      // loads for each execution of the loop
};

class Moves {
public:
  Moves(Function &F, const LoopInfo &Loops, const DominatorTree &Dominators, Changes &Changed)
      : F(F), Loops(Loops), Dominators(Dominators), Changed(Changed) {}

  Move of(const LoadInst &Load, Space S) {
    Move Found;
    for (const Loop *L = Loops.getLoopFor(Load.getParent()); L; L = L->getParentLoop()) {
      const BasicBlock *Latch = L->getLoopLatch();
      if (!Latch || !L->getLoopPreheader() || !Dominators.dominates(Load.getParent(), Latch) ||
          (!isReadOnly(Load) && Changed.within(*L, S)))
        break;
      if (L->isLoopInvariant(Load.getPointerOperand()))
        Found = {L, 1};
      else if (const uint64_t Times = L->isInnermost() ? 0 : unrolled(Load, *L))
        Found = {L, Times};
    }
    return Found;
  }

private:
  // ptxas unrolls inner loops of a few turns completely: their addresses are then the same in each turn of L. Returns
  // the number of their turns, or 0.
  uint64_t unrolled(const LoadInst &Load, const Loop &L) {
    constexpr unsigned MostTurns = 32;
    if (!All)
      All = std::make_unique<LoopAnalyses>(F);
    ScalarEvolution &Evolution = All->Evolution;
    SmallPtrSet<const Loop *, 4> Stepped;
    const SCEV *Address = Evolution.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
    const bool Varies = SCEVExprContains(Address, [&](const SCEV *Part) {
      if (const auto *Step = dyn_cast<SCEVAddRecExpr>(Part)) {
        if (L.contains(Step->getLoop()->getHeader()))
          Stepped.insert(Step->getLoop());
        return Step->getLoop()->getHeader() == L.getHeader();
      }
      const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
      const auto *Of = Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
      return Of && L.contains(Of);
    });
    uint64_t Times = 1;
    for (const Loop *Inner : Stepped) {
      const unsigned Turns = Evolution.getSmallConstantTripCount(Inner);
      if (Turns == 0 || Turns > MostTurns)
        return 0;
      Times *= Turns;
    }
    return Varies || Times > MostTurns ? 0 : Times;
  }

  Function &F;
  const LoopInfo &Loops;
  const DominatorTree &Dominators;
  Changes &Changed;
  std::unique_ptr<LoopAnalyses> All;
};

struct Classes {
  CostClass Bytes, Less, LessSame, Behind, BehindSame, Wider, Filled, Same, Rows, Any;
};
const Classes *classesOf(Space S) {
#define LOADS(S)                                                                                                           \
  {                                                                                                                        \
    CostClass::S##_load, CostClass::expand_##S##_load_less, CostClass::expand_##S##_load_less_same,                        \
        CostClass::expand_##S##_load_behind, CostClass::expand_##S##_load_behind_same, CostClass::expand_##S##_load_wider, \
        CostClass::expand_##S##_load_filled, CostClass::lanes_##S##_load_same, CostClass::lanes_##S##_load_rows,           \
        CostClass::lanes_##S##_load_any                                                                                    \
  }
  static constexpr Classes Global = LOADS(global), Shared = LOADS(shared);
#undef LOADS
  return S == Space::Global ? &Global : S == Space::Shared ? &Shared : nullptr;
}

} // namespace

void LoadFreedom::addMoved(const LoadInst &Load, uint64_t Bytes, const LaneSharing &Sharing, const Instruction *Before,
                           uint64_t Times) {
  const Classes &C = *classesOf(spaceOf(*Load.getPointerOperand()));
  InstructionCost Cost;
  Cost.add(C.Bytes, bytesOf(Load));
  const InstructionCost Lanes = Sharing.of(Load, Cost);
  const bool Same = any_of(Lanes.Amounts, [&](const auto &Amount) {
    return Amount.first == C.Same || Amount.first == C.Rows || Amount.first == C.Any;
  });
  add(Load, Same ? C.LessSame : C.Less, Bytes);
  if (Before)
    add(*Before, Same ? C.BehindSame : C.Behind, Times * Bytes);
}

LoadFreedom::LoadFreedom(Function &F, const LaneSharing &Sharing, FunctionAnalysisManager *Analyses) {
  DenseMap<const Value *, Beside> ByPointer;
  SmallVector<const LoadInst *, 16> All;
  for (const Instruction &I : instructions(F))
    if (const auto *Load = dyn_cast<LoadInst>(&I);
        Load && Load->isSimple() && classesOf(spaceOf(*Load->getPointerOperand()))) {
      All.push_back(Load);
      const auto [Base, Offset] = placeOf(*Load);
      ByPointer[Base].push_back({Load, Offset});
    }
  if (All.empty())
    return;
  const DominatorTree Dominators(F);
  const LoopInfo Loops(Dominators);
  Changes Changed;
  Moves Moved(F, Loops, Dominators, Changed);
  for (const LoadInst *Load : All) {
    const Space S = spaceOf(*Load->getPointerOperand());
    const auto [Base, Offset] = placeOf(*Load);
    if (const uint64_t Bytes = bytesLoadedBefore(*Load, Base, Offset, ByPointer[Base], S, Changed))
      addMoved(*Load, Bytes, Sharing, nullptr, 0);
    else if (const uint64_t Half = bytesUnused(*Load))
      addMoved(*Load, Half, Sharing, nullptr, 0);
    else if (const Move Found = Loops.empty() ? Move() : Moved.of(*Load, S); Found.L)
      addMoved(*Load, bytesOf(*Load), Sharing, Found.L->getLoopPreheader()->getTerminator(), Found.Times);
  }
  for (const auto &[Load, Bytes] : widerSharedLoads(F, [&](const Instruction &I) { return Changed.by(I, Space::Shared); }))
    add(*Load, CostClass::expand_shared_load_wider, Bytes);
  if (Analyses)
    for (const auto &[Load, Bytes] : filledLoads(F, *Analyses))
      add(*Load, classesOf(spaceOf(*Load->getPointerOperand()))->Filled, Bytes);
}

InstructionCost LoadFreedom::of(const Instruction &I) const {
  InstructionCost Cost;
  if (auto Slot = Known.find(&I); Slot != Known.end())
    for (auto [Class, Bytes] : Slot->second)
      Cost.add(Class, Bytes);
  return Cost;
}

PreservedAnalyses LoadFreedomPrinterPass::run(Module &M, ModuleAnalysisManager &Analyses) {
  auto &Inner = Analyses.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<Function *, 8> Defined;
  for (Function &F : M)
    if (!F.isDeclaration())
      Defined.push_back(&F);
  for (Function *F : Defined) {
    OS << "loads of " << F->getName() << ":\n";
    const WarpUniformity U(*F);
    const LaneSharing Sharing(*F, U);
    const LoadFreedom Freedom(*F, Sharing, &Inner);
    for (const Instruction &I : instructions(*F)) {
      const InstructionCost Cost = Freedom.of(I);
      for (auto [Class, Amount] : Cost.Amounts)
        OS << "  " << costClassName(Class) << "=" << Amount;
      if (!Cost.Amounts.empty())
        OS << " :" << I << "\n";
    }
  }
  return PreservedAnalyses::all();
}

} // namespace gpuprof
