// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/HoistSectorMarkers.h"

#include "analysis/LoopAccess.h"
#include "clones/CloneSlice.h"
#include "clones/SectorMarkers.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <optional>

#define DEBUG_TYPE "gpuprof-hoist-sector-markers"

using namespace llvm;

STATISTIC(MarkersJoined, "Number of sector markers joined with a neighbour's");
STATISTIC(MarkersMoved, "Number of sector markers moved out of a loop");
STATISTIC(MarkersStretched, "Number of sector markers that mark for all iterations of a loop");

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
    for (Loop *L : reverse(All)) // inner ones first: their marks may move on to the enclosing loop
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
    const std::optional<int64_t> Offset =
        distance(Loops, Origin, Loops.Evolution.getSCEV(Call.getArgOperand(Pointer)));
    if (!Length || !Offset || Length->getValue().getActiveBits() > 32)
      return std::nullopt;
    return Piece{&Call, *Offset, Length->getZExtValue()};
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
        if (Pieces[I].Call != Last) {
          Pieces[I].Call->eraseFromParent();
          ++MarkersJoined;
        }
      Changed = true;
    }
  }

  /* ---- Out of loops ---- */

  void hoistFrom(Loop &L) {
    if (!L.getLoopPreheader())
      return;
    for (BasicBlock *BB : L.blocks()) {
      if (!runsEachIteration(Loops, L, *BB))
        continue;
      for (const Function *Kind : {Functions.Global, Functions.Generic, Functions.Strided})
        for (CallInst *Call : touchesOf(*BB, Kind))
          Changed |= moveOut(*Call, L) || stretch(*Call, L);
    }
  }

  bool moveOut(CallInst &Call, Loop &L) {
    if (!L.hasLoopInvariantOperands(&Call))
      return false;
    ++MarkersMoved;
    Call.moveBefore(*L.getLoopPreheader(), L.getLoopPreheader()->getTerminator()->getIterator());
    return true;
  }

  bool stretch(CallInst &Call, Loop &L) {
    if (Call.getCalledOperand() != Functions.Global || !L.isLoopInvariant(Call.getArgOperand(Bytes)))
      return false;
    const std::optional<LoopAccess> A = loopAccess(Loops, L, Call.getArgOperand(Pointer));
    if (!A || A->Step->isZero() || !canComputeAhead(Loops, L, *A))
      return false;
    const LoopAccessValues Of = computeAhead(Loops, L, *A);
    CallInst *New = IRBuilder<>(L.getLoopPreheader()->getTerminator())
                        .CreateCall(Functions.Strided, {Call.getArgOperand(Table), Of.Start, Of.Step, Of.Count,
                                                        Call.getArgOperand(Bytes)});
    New->setAttributes(Call.getAttributes());
    New->copyMetadata(Call);
    Call.eraseFromParent();
    ++MarkersStretched;
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
