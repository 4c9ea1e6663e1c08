// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/HoistSectorMarkers.h"

#include "analysis/LoopAnalyses.h"
#include "clones/CloneSlice.h"
#include "clones/SectorMarkers.h"
#include "common/Compat.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <optional>

using namespace llvm;

namespace gpuprof {
namespace {

enum Argument { Table, Pointer, Bytes, Stride = 2, Count, StridedBytes };

class Hoister {
public:
  Hoister(Function &F, const SectorMarkers &Functions) : F(F), Functions(Functions), Loops(F) {}

  bool run() {
    for (BasicBlock &BB : F)
      join(BB);
    for (Loop *L : Loops.Loops.getLoopsInPreorder())
      simplifyLoop(L, &Loops.Dominators, &Loops.Loops, &Loops.Evolution, &Loops.Assumptions, nullptr, false);
    const SmallVector<Loop *, 4> All = Loops.Loops.getLoopsInPreorder();
    for (Loop *L : reverse(All)) // inner ones first: their marks may go on to the loop around
      hoistFrom(*L);
    return Changed;
  }

private:
  /* ---- Neighbours in a block ---- */

  struct Piece {
    CallInst *Call;
    int64_t Offset; // of its pointer from the first piece's
    uint64_t Bytes;
  };

  SmallVector<CallInst *, 16> touchesOf(BasicBlock &BB, const Function *Kind) const {
    SmallVector<CallInst *, 16> Calls;
    for (Instruction &I : BB)
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->getCalledOperand() == Kind)
        Calls.push_back(Call);
    return Calls;
  }

  std::optional<Piece> asPiece(CallInst &Call, const SCEV *Origin) {
    const auto *Length = dyn_cast<ConstantInt>(Call.getArgOperand(Bytes));
    const auto *Distance = dyn_cast<SCEVConstant>(
        Loops.Evolution.getMinusSCEV(Loops.Evolution.getSCEV(Call.getArgOperand(Pointer)), Origin));
    if (!Length || !Distance || Length->getValue().getActiveBits() > 32)
      return std::nullopt;
    return Piece{&Call, Distance->getAPInt().getSExtValue(), Length->getZExtValue()};
  }

  void join(BasicBlock &BB) {
    SmallVector<CallInst *, 16> Calls = touchesOf(BB, Functions.Global);
    while (Calls.size() > 1) {
      const SCEV *Origin = Loops.Evolution.getSCEV(Calls.front()->getArgOperand(Pointer));
      SmallVector<Piece, 16> Pieces;
      SmallVector<CallInst *, 16> Others;
      for (CallInst *Call : Calls)
        if (std::optional<Piece> P = asPiece(*Call, Origin))
          Pieces.push_back(*P);
        else if (Call != Calls.front())
          Others.push_back(Call);
      joinPieces(Pieces);
      Calls = std::move(Others);
    }
  }

  // Each run of pieces without a gap becomes one mark, at the last of them.
  void joinPieces(SmallVectorImpl<Piece> &Pieces) {
    sort(Pieces, [](const Piece &A, const Piece &B) { return A.Offset < B.Offset; });
    for (size_t Begin = 0, End; Begin < Pieces.size(); Begin = End) {
      int64_t Limit = Pieces[Begin].Offset;
      CallInst *Last = Pieces[Begin].Call;
      for (End = Begin; End < Pieces.size() && Pieces[End].Offset <= Limit; ++End) {
        Limit = std::max(Limit, Pieces[End].Offset + static_cast<int64_t>(Pieces[End].Bytes));
        if (Last->comesBefore(Pieces[End].Call))
          Last = Pieces[End].Call;
      }
      if (End - Begin < 2)
        continue;
      Value *Lowest = Pieces[Begin].Call->getArgOperand(Pointer);
      Last->setArgOperand(Pointer, Lowest);
      Last->setArgOperand(
          Bytes, ConstantInt::get(Last->getArgOperand(Bytes)->getType(), Limit - Pieces[Begin].Offset));
      for (size_t I = Begin; I < End; ++I)
        if (Pieces[I].Call != Last)
          Pieces[I].Call->eraseFromParent();
      Changed = true;
    }
  }

  /* ---- Out of loops ---- */

  void hoistFrom(Loop &L) {
    BasicBlock *Before = L.getLoopPreheader(), *Latch = L.getLoopLatch();
    // One way out, at the end of a turn: then every turn runs all of what leads to it.
    if (!Before || !Latch || L.getExitingBlock() != Latch)
      return;
    for (BasicBlock *BB : L.blocks()) {
      if (Loops.Loops.getLoopFor(BB) != &L || !Loops.Dominators.dominates(BB, Latch))
        continue;
      for (const Function *Kind : {Functions.Global, Functions.Generic, Functions.Strided})
        for (CallInst *Call : touchesOf(*BB, Kind))
          Changed |= moveOut(*Call, L) || stretch(*Call, L);
    }
  }

  bool moveOut(CallInst &Call, Loop &L) {
    if (!L.hasLoopInvariantOperands(&Call))
      return false;
    Call.moveBefore(*L.getLoopPreheader(), L.getLoopPreheader()->getTerminator()->getIterator());
    return true;
  }

  bool stretch(CallInst &Call, Loop &L) {
    ScalarEvolution &Evolution = Loops.Evolution;
    const SCEV *Repeats = Evolution.getBackedgeTakenCount(&L);
    if (Call.getCalledOperand() != Functions.Global || !L.isLoopInvariant(Call.getArgOperand(Bytes)) ||
        isa<SCEVCouldNotCompute>(Repeats))
      return false;
    const auto *Address = dyn_cast<SCEVAddRecExpr>(Evolution.getSCEV(Call.getArgOperand(Pointer)));
    if (!Address || Address->getLoop() != &L || !Address->isAffine())
      return false;
    const SCEV *Step = Address->getStepRecurrence(Evolution), *Start = Address->getStart();
    Instruction *Before = L.getLoopPreheader()->getTerminator();
    auto Expander = compat::scevExpander(Evolution, *F.getParent());
    if (Evolution.getTypeSizeInBits(Repeats->getType()) > 64 ||
        !all_of(std::initializer_list<const SCEV *>{Repeats, Step, Start},
                [&](const SCEV *S) { return Expander.isSafeToExpandAt(S, Before); }))
      return false;
    IRBuilder<> Builder(Before);
    Value *Turns =
        Builder.CreateZExt(Expander.expandCodeFor(Repeats, Repeats->getType(), Before), Builder.getInt64Ty());
    CallInst *New = Builder.CreateCall(
        Functions.Strided,
        {Call.getArgOperand(Table), Expander.expandCodeFor(Start, Builder.getPtrTy(), Before),
         Builder.CreateSExtOrTrunc(Expander.expandCodeFor(Step, Step->getType(), Before),
                                   Builder.getInt64Ty()),
         Builder.CreateAdd(Turns, Builder.getInt64(1)), Call.getArgOperand(Bytes)});
    New->setAttributes(Call.getAttributes());
    New->copyMetadata(Call);
    Call.eraseFromParent();
    return true;
  }

  Function &F;
  const SectorMarkers &Functions;
  LoopAnalyses Loops;
  bool Changed = false;
};

} // namespace

bool hoistSectorMarkers(Function &F, const SectorMarkers &Functions) { return Hoister(F, Functions).run(); }

} // namespace gpuprof
