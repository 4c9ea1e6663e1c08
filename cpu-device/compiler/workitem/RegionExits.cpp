// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/RegionExits.h"
#include "module/SourceLocations.h"
#include "workitem/ThreadArray.h"

using namespace llvm;

namespace gpuprof::cpu {
void RegionExits::makeDivergentRegions() {
  for (std::unique_ptr<DivergentRegion> &D : Body.Regions.Divergent) {
    IRBuilder<> B(&*Body.Setup->begin());
    if (D->Range.empty()) {
      D->Any = B.CreateAlloca(B.getInt8Ty());
    } else {
      for (unsigned N = 0; N != 3; ++N)
        if (N == AlongX || isBounded(*D, N)) {
          D->Low[N] = B.CreateAlloca(B.getInt32Ty());
          D->Count[N] = B.CreateAlloca(B.getInt32Ty());
        }
    }
    if (D->Range.empty() || D->WarpOp || D->MaskIsRead)
      D->Mask = Body.array(B.getInt8Ty());
    if (D->WarpOp) {
      D->Parted = B.CreateAlloca(B.getPtrTy());
      Places[D.get()] = Body.L.text(placeOf(D->WarpOp->getDebugLoc()));
    }
  }
}

// Stores at the end of each iteration if the thread is inside the divergent region beginning here.
void RegionExits::storeMembership(ParallelRegion &R, DivergentRegion &D) {
  const LoopNest &Loop = Body.Loops[&R];
  IRBuilder<> B(R.Exit->getTerminator());
  Value *Condition = cast<BranchInst>(R.Exit->getTerminator())->getCondition();
  Value *Inside = B.CreateZExt(D.OnTrue ? Condition : B.CreateNot(Condition), B.getInt8Ty());
  B.SetInsertPoint(&*Loop.Latch->begin());
  PHINode *Mark = B.CreatePHI(B.getInt8Ty(), 2);
  Mark->addIncoming(Inside, R.Exit);
  if (R.In && R.In->Range.empty())
    Mark->addIncoming(B.getInt8(0), Loop.First);
  B.CreateStore(Mark, elementOf(B, D.Mask, Loop.Index));
  B.CreateStore(B.CreateOr(B.CreateLoad(B.getInt8Ty(), D.Any), Mark), D.Any);
  B.SetInsertPoint(Loop.Head->getTerminator());
  B.CreateStore(B.getInt8(0), D.Any);
  if (R.In && !R.In->Range.empty()) // the loop runs for some of the threads
    B.CreateMemSet(elementOf(B, D.Mask, B.getInt64(0)), B.getInt8(0),
                   B.CreateZExt(Body.Threads, B.getInt64Ty()), Align(1));
}

// Stores the ranges of threads inside the divergent region beginning here; returns the test for non-empty ones.
Value *RegionExits::storeRange(ParallelRegion &R, DivergentRegion &D, IRBuilder<> &B) {
  auto Wide = [&](Value *V) { return B.CreateZExt(V, B.getInt64Ty()); };
  Value *Some = B.getTrue();
  for (unsigned N = 0; N != 3; ++N) {
    if (!D.Count[N])
      continue;
    RangeBounds Inside{B.getInt64(0), Wide(Body.Sizes[N])};
    if (R.In && R.In->Count[N]) {
      Inside.Low = Wide(B.CreateLoad(B.getInt32Ty(), R.In->Low[N]));
      Inside.High = B.CreateAdd(Inside.Low, Wide(B.CreateLoad(B.getInt32Ty(), R.In->Count[N])));
    }
    for (const RangeTerm &Term : D.Range)
      if (Term.Along == N)
        Inside = narrow(B, Inside, Term, Term.Apart > 1 ? nullptr : Values.whole(Term.Bound, B));
    Value *Count = B.CreateSub(Inside.High, Inside.Low);
    if (const RangeTerm *Term =
            N == AlongX ? termApart(D.Range) : nullptr) { // from the first thread with this rest on
      Value *Last = B.getInt64(Term->Apart - 1);
      Value *First = B.CreateAnd(B.CreateSub(B.getInt64(Term->Rest), Inside.Low), Last);
      Inside.Low = B.CreateAdd(Inside.Low, First);
      Count = B.CreateAShr(B.CreateAdd(B.CreateSub(Inside.High, Inside.Low), Last), Log2_32(Term->Apart));
    }
    B.CreateStore(B.CreateTrunc(Inside.Low, B.getInt32Ty()), D.Low[N]);
    B.CreateStore(B.CreateTrunc(Count, B.getInt32Ty()), D.Count[N]);
    Some = B.CreateAnd(Some, B.CreateICmpSGT(Count, B.getInt64(0)));
  }
  return Some;
}

Value *RegionExits::alive(const DivergentRegion &D, IRBuilder<> &B) {
  return D.Alive ? elementOf(B, D.Alive->Mask, B.getInt64(0)) : ConstantPointerNull::get(B.getPtrTy());
}

// Entry to a divergent region with warp operations: each warp enters as a whole, or not at all. This is
// checked, unless the other threads have returned; these then yield 0.
void RegionExits::enter(DivergentRegion &D, BasicBlock *At, BasicBlock *Inside) {
  IRBuilder<> B(At);
  Value *Mask = D.Mask ? elementOf(B, D.Mask, B.getInt64(0)) : nullptr, *Low = nullptr, *Count = nullptr;
  if (D.Mask && !D.Range.empty()) {
    assert(!D.Count[0] && !D.Count[1] && "a mask of a range along x");
    Low = B.CreateLoad(B.getInt32Ty(), D.Low[AlongX]);
    Count = B.CreateLoad(B.getInt32Ty(), D.Count[AlongX]);
  }
  auto FillMask = [&] {
    B.CreateCall(Body.L.entry("__gpuprof_cpu_range_mask"), {Mask, Low, Count, Body.Sizes[2], Body.Threads});
  };
  if (D.MaskIsRead && Low)
    FillMask();
  if (!D.WarpOp) {
    B.CreateBr(Inside);
    return;
  }
  B.CreateStore(ConstantPointerNull::get(B.getPtrTy()), D.Parted);
  if (Low) {
    Value *High = B.CreateAdd(Low, Count), *Row = Body.Sizes[2];
    auto IsWhole = [&](Value *V) { return B.CreateICmpEQ(B.CreateAnd(V, 31), B.getInt32(0)); };
    Value *Even = B.CreateOr(IsWhole(Row), B.CreateICmpEQ(Row, Body.Threads));
    Even = B.CreateAnd(Even, B.CreateAnd(IsWhole(Low), B.CreateOr(IsWhole(High), B.CreateICmpEQ(High, Row))));
    BasicBlock *Odd = BasicBlock::Create(Body.F.getContext(), "odd", &Body.F, Inside);
    B.CreateCondBr(Even, Inside, Odd);
    B.SetInsertPoint(Odd);
    if (!D.MaskIsRead)
      FillMask();
  }
  Value *Parted = B.CreateCall(Body.L.entry("__gpuprof_cpu_parted_warps"),
                               {Mask, alive(D, B), Body.Threads, B.getInt32(D.EndsAtReturn), Places[&D]});
  BasicBlock *Apart = BasicBlock::Create(Body.F.getContext(), "parted", &Body.F, Inside);
  B.CreateCondBr(B.CreateICmpNE(Parted, B.getInt32(0)), Apart, Inside);
  B.SetInsertPoint(Apart);
  B.CreateStore(Mask, D.Parted);
  for (AllocaInst *Array : D.Shuffled) {
    const uint64_t Bytes = Body.F.getParent()->getDataLayout().getTypeAllocSize(
        Array->getAllocatedType()->getArrayElementType());
    B.CreateCall(
        Body.L.entry("__gpuprof_cpu_clear_others"),
        {elementOf(B, Array, B.getInt64(0)), B.getInt32(static_cast<uint32_t>(Bytes)), Mask, Body.Threads});
  }
  B.CreateBr(Inside);
}

// Branches to the block's continuation behind the region's last iteration.
void RegionExits::leave(ParallelRegion &R) {
  const LoopNest &Loop = Body.Loops[&R];
  IRBuilder<> B(Loop.Done);
  auto HeadOf = [&](BasicBlock *Entry) { return Body.Loops[Body.Regions.of(Entry)].Head; };
  Instruction *End = R.Exit->getTerminator();
  if (DivergentRegion *D = Body.Regions.divergentAt(R.Exit)) {
    BasicBlock *Enter = BasicBlock::Create(Body.F.getContext(), "enter", &Body.F, HeadOf(D->Inside));
    Value *Any = nullptr;
    if (D->Range.empty()) {
      storeMembership(R, *D);
      Any = B.CreateICmpNE(B.CreateLoad(B.getInt8Ty(), D->Any), B.getInt8(0));
    } else {
      Any = storeRange(R, *D, B);
    }
    B.CreateCondBr(Any, Enter, HeadOf(D->Join));
    enter(*D, Enter, HeadOf(D->Inside));
  } else {
    Instruction *Copy = End->clone();
    Copy->insertInto(Loop.Done, Loop.Done->end());
    if (End->getNumSuccessors() > 1) {
      B.SetInsertPoint(Copy);
      Copy->setOperand(0, Values.whole(End->getOperand(0), B));
    }
    for (unsigned N = 0; N != Copy->getNumSuccessors(); ++N)
      Copy->setSuccessor(N, HeadOf(Copy->getSuccessor(N)));
  }
  IRBuilder<>(End).CreateBr(Loop.Latch);
  End->eraseFromParent();
}

void RegionExits::close(ParallelRegion &R) {
  leave(R);
  if (!R.In || !R.In->Range.empty())
    return;
  LoopNest &Loop = Body.Loops[&R];
  Instruction *End = Loop.First->getTerminator();
  IRBuilder<> B(End);
  Value *Inside = B.CreateLoad(B.getInt8Ty(), elementOf(B, R.In->Mask, Loop.Index));
  B.CreateCondBr(B.CreateICmpNE(Inside, B.getInt8(0)), R.Entry, Loop.Latch);
  End->eraseFromParent();
}
} // namespace gpuprof::cpu
