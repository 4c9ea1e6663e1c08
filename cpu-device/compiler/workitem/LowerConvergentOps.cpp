// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchange of values between threads at a convergent operation, once all threads of the block have arrived.

#include "workitem/LowerConvergentOps.h"
#include "module/Lowering.h"
#include "workitem/ConvergentOps.h"
#include "workitem/LaneTable.h"
#include "workitem/ThreadArray.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// The order is that of the list of entries.
enum ShuffleKind : uint64_t { Up, Down, Butterfly, Index };

uint64_t kindOf(const CallInst &I) { return cast<ConstantInt>(I.getArgOperand(1))->getZExtValue(); }

// PTX's shfl: c holds the clamp in bits 0-4 and the segment mask in bits 8-12.
Value *sourceLane(IRBuilder<> &B, uint64_t Kind, Value *Lane, Value *Delta, Value *Last, Value *InSegment,
                  Value *Others, Value *&Inside) {
  Value *Source = nullptr;
  switch (Kind) {
  case Up:
    Source = B.CreateSub(Lane, Delta);
    Inside = B.CreateICmpSGE(Source, Last);
    return Source;
  case Down:
    Source = B.CreateAdd(Lane, Delta);
    break;
  case Butterfly:
    Source = B.CreateXor(Lane, Delta);
    break;
  default:
    Source = B.CreateOr(InSegment, B.CreateAnd(Delta, Others));
  }
  Inside = B.CreateICmpSLE(Source, Last);
  return Source;
}

// The value at another lane of the running thread's warp.
Value *valueAt(const ConvergentSite &Site, IRBuilder<> &B, AllocaInst *Array, Type *T, Value *Moved) {
  Value *From = B.CreateAdd(Site.Loop.Index, B.CreateSExt(Moved, B.getInt64Ty()));
  return B.CreateLoad(T, elementOf(B, Array, From));
}

// The value at the lane whose index differs in one bit: either of two that all lanes have at the same distance. Null: in
// several bits, or unknown ones.
Value *valueAcross(const ConvergentSite &Site, IRBuilder<> &B, AllocaInst *Array, Type *T, Value *Lane, Value *Delta) {
  const auto *Bits = dyn_cast<ConstantInt>(Delta);
  if (!Bits || !Bits->getValue().isPowerOf2())
    return nullptr;
  Value *Above = valueAt(Site, B, Array, T, Delta), *Below = valueAt(Site, B, Array, T, B.CreateNeg(Delta));
  return B.CreateSelect(B.CreateIsNull(B.CreateAnd(Lane, Delta)), Above, Below);
}

// A value of each thread for a function of the emulator: the address of its elements, or null and the uniform
// value.
std::pair<Value *, Value *> ofThreads(const ConvergentSite &Site, IRBuilder<> &B, Value *V, Type *T) {
  if (AllocaInst *Array = V ? Site.Elements(V) : nullptr)
    return {elementOf(B, Array, B.getInt64(0)), Constant::getNullValue(T)};
  return {ConstantPointerNull::get(B.getPtrTy()), V ? Site.Here(V) : Constant::getNullValue(T)};
}

// If lanes name member masks: all lanes named by one must arrive and name the same mask.
void checkLanes(const ConvergentSite &Site, const CallInst &I) {
  if (!memberMask(I) || isFullWarp(I))
    return;
  IRBuilder<> B(Site.Loop.Head->getTerminator());
  const auto [Masks, Same] = ofThreads(Site, B, memberMask(I), B.getInt32Ty());
  B.SetInsertPoint(Site.Loop.Head->getTerminator());
  Value *None = ConstantPointerNull::get(B.getPtrTy()), *Inside = Site.Mask ? Site.Mask : None;
  B.CreateCall(Site.L.entry("__gpuprof_cpu_check_lanes"),
               {Masks, Same, Inside, Site.Alive ? Site.Alive : None, B.getInt32(Site.Returned), Site.Threads,
                Site.Place});
}

// Does the running thread's mask name the lane, and does the lane take part?
Value *isNamed(const ConvergentSite &Site, IRBuilder<> &B, const CallInst &I, Value *Lane, Value *Source) {
  Value *Mask = Site.Here(memberMask(I)), *Own = B.CreateShl(B.getInt32(1), Lane);
  Mask = B.CreateSelect(B.CreateIsNotNull(B.CreateAnd(Mask, Own)), Mask, Own); // otherwise the lane is alone
  Value *Named = B.CreateTrunc(B.CreateLShr(Mask, Source), B.getInt1Ty());
  Value *From = B.CreateAdd(Site.Loop.Linear, B.CreateSub(Source, Lane));
  Named = B.CreateAnd(Named, B.CreateICmpULT(From, Site.Threads));
  if (!Site.Mask)
    return Named;
  From = B.CreateSelect(Named, From, Site.Loop.Linear);
  Value *Comes =
      B.CreateLoad(B.getInt8Ty(), B.CreateGEP(B.getInt8Ty(), Site.Mask, B.CreateZExt(From, B.getInt64Ty())));
  return B.CreateAnd(Named, B.CreateIsNotNull(Comes));
}

// In up and down, all lanes read at the same distance: their values are consecutive. Values of missing and of
// returned lanes are 0.
Value *shuffle(const ConvergentSite &Site, CallInst &I) {
  checkLanes(Site, I);
  IRBuilder<> B(&I);
  const uint64_t Kind = kindOf(I);
  Value *Lane = laneFromTable(Site.L, B, Site.Loop.Index);
  Value *Delta = B.CreateAnd(Site.Here(I.getArgOperand(4)), 31), *Control = Site.Here(I.getArgOperand(5));
  Value *Clamp = B.CreateAnd(Control, 31), *Segment = B.CreateAnd(B.CreateLShr(Control, 8), 31);
  Value *Others = B.CreateNot(Segment), *InSegment = B.CreateAnd(Lane, Segment);
  Value *Last = B.CreateOr(InSegment, B.CreateAnd(Clamp, Others));
  Value *Inside = nullptr;
  Value *Source = sourceLane(B, Kind, Lane, Delta, Last, InSegment, Others, Inside);
  Value *Moved = Kind == Up ? B.CreateNeg(Delta) : Kind == Down ? Delta : B.CreateSub(Source, Lane);
  Value *Given = I.getArgOperand(3), *There = nullptr;
  if (AllocaInst *Array = Site.Elements(Given)) {
    Value *Other = Kind == Butterfly ? valueAcross(Site, B, Array, Given->getType(), Lane, Delta) : nullptr;
    if (!Other)
      Other = valueAt(Site, B, Array, Given->getType(), Moved);
    There = B.CreateSelect(Inside, Other, valueAt(Site, B, Array, Given->getType(), B.getInt32(0)));
  } else {
    Value *From = B.CreateAdd(Site.Loop.Linear, B.CreateSelect(Inside, Moved, B.getInt32(0)));
    There = B.CreateSelect(B.CreateICmpULT(From, Site.Threads), Site.Here(Given), B.getInt32(0));
  }
  if (!isFullWarp(I)) {
    Value *Named = isNamed(Site, B, I, Lane, B.CreateSelect(Inside, Source, Lane));
    There = B.CreateSelect(Named, There, Constant::getNullValue(There->getType()));
  }
  return B.CreateOr(B.CreateZExt(There, B.getInt64Ty()),
                    B.CreateShl(B.CreateZExt(Inside, B.getInt64Ty()), 32));
}

// Operations computed by the emulator for all lanes of a block, in the emulator's order.
enum Lanes : uint32_t { Votes, Reductions, Matches, Active };

// All results are computed at once, before the first thread goes on.
Value *together(const ConvergentSite &Site, CallInst &I, Lanes Operation, Value *Given) {
  checkLanes(Site, I);
  IRBuilder<> B(Site.Loop.Head->getTerminator());
  Type *Word = B.getInt32Ty(), *Of = Given ? Given->getType() : Word;
  const auto [Values, Same] = ofThreads(Site, B, Given, Of);
  Value *Lanes = isFullWarp(I) ? B.getInt32(~0u) : memberMask(I);
  const auto [Masks, SameMask] = ofThreads(Site, B, Lanes, Word);
  AllocaInst *Results = Site.NewArray(I.getType());
  B.SetInsertPoint(Site.Loop.Head->getTerminator());
  Value *Inside = Site.Mask ? Site.Mask : ConstantPointerNull::get(B.getPtrTy());
  const uint64_t Kind = Operation == Active ? 0 : kindOf(I);
  B.CreateCall(Site.L.entry("__gpuprof_cpu_lanes"),
               {B.getInt32(Operation), B.getInt32(static_cast<uint32_t>(Kind)), Values,
                B.CreateZExt(Same, B.getInt64Ty()), Masks, SameMask, Inside, Site.Threads,
                elementOf(B, Results, B.getInt64(0))});
  B.SetInsertPoint(&I);
  return B.CreateLoad(I.getType(), elementOf(B, Results, Site.Loop.Index));
}

// A result equal for all threads.
Value *ofBlock(const ConvergentSite &Site, CallInst &I, Value *Given) {
  IRBuilder<> B(Site.Loop.Head->getTerminator());
  const auto [Values, Same] = ofThreads(Site, B, Given, B.getInt32Ty());
  B.SetInsertPoint(Site.Loop.Head->getTerminator());
  Value *Inside = Site.Mask ? Site.Mask : ConstantPointerNull::get(B.getPtrTy());
  return B.CreateCall(Site.L.entry("__gpuprof_cpu_block_reduction"),
                      {B.getInt32(static_cast<uint32_t>(kindOf(I))), Values, Same, Inside, Site.Threads});
}
} // namespace

Value *lowerConvergentOp(const ConvergentSite &Site, CallInst &I) {
  switch (convergentOp(I)) {
  case ConvergentOp::Shuffle:
    return shuffle(Site, I);
  case ConvergentOp::Vote:
    return together(Site, I, Votes, I.getArgOperand(3));
  case ConvergentOp::Reduction:
    return together(Site, I, Reductions, I.getArgOperand(3));
  case ConvergentOp::Match:
    return together(Site, I, Matches, I.getArgOperand(3));
  case ConvergentOp::ActiveMask:
    return together(Site, I, Active, nullptr);
  case ConvergentOp::BarrierReduce:
    return ofBlock(Site, I, I.getArgOperand(2));
  case ConvergentOp::WarpSync:
    checkLanes(Site, I);
    return nullptr;
  default:
    return nullptr;
  }
}
} // namespace gpuprof::cpu
