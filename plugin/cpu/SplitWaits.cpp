// What threads tell one another at a wait, when all threads of the block have come to it.
#include "cpu/Split.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// As in the list of entries.
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
Value *valueAt(const WaitSite &Site, IRBuilder<> &B, AllocaInst *Array, Type *T, Value *Moved) {
  Value *From = B.CreateAdd(Site.Loop.Index, B.CreateSExt(Moved, B.getInt64Ty()));
  return B.CreateLoad(T, elementOf(B, Array, From));
}

// Up and down, all lanes look equally far, which makes their values consecutive ones; those of lanes that do
// not exist, or have returned, are 0.
Value *shuffle(const WaitSite &Site, CallInst &I) {
  IRBuilder<> B(&I);
  const uint64_t Kind = kindOf(I);
  Value *Lane = B.CreateAnd(Site.Loop.Linear, 31);
  Value *Delta = B.CreateAnd(Site.Here(I.getArgOperand(4)), 31), *Control = Site.Here(I.getArgOperand(5));
  Value *Clamp = B.CreateAnd(Control, 31), *Segment = B.CreateAnd(B.CreateLShr(Control, 8), 31);
  Value *Others = B.CreateNot(Segment), *InSegment = B.CreateAnd(Lane, Segment);
  Value *Last = B.CreateOr(InSegment, B.CreateAnd(Clamp, Others));
  Value *Inside = nullptr;
  Value *Source = sourceLane(B, Kind, Lane, Delta, Last, InSegment, Others, Inside);
  Value *Moved = Kind == Up ? B.CreateNeg(Delta) : Kind == Down ? Delta : B.CreateSub(Source, Lane);
  Value *Given = I.getArgOperand(3), *There = nullptr;
  if (AllocaInst *Array = Site.Elements(Given)) {
    Value *Other = valueAt(Site, B, Array, Given->getType(), Moved);
    There = B.CreateSelect(Inside, Other, valueAt(Site, B, Array, Given->getType(), B.getInt32(0)));
  } else {
    Value *From = B.CreateAdd(Site.Loop.Linear, B.CreateSelect(Inside, Moved, B.getInt32(0)));
    There = B.CreateSelect(B.CreateICmpULT(From, Site.Threads), Site.Here(Given), B.getInt32(0));
  }
  return B.CreateOr(B.CreateZExt(There, B.getInt64Ty()),
                    B.CreateShl(B.CreateZExt(Inside, B.getInt64Ty()), 32));
}

// All results at once, before the first thread goes on.
Value *together(const WaitSite &Site, CallInst &I, StringRef Entry, Value *Given) {
  AllocaInst *Array = Site.Elements(Given);
  Value *Same = Array ? nullptr : Site.Here(Given);
  IRBuilder<> B(Site.Loop.Head->getTerminator());
  Value *None = ConstantPointerNull::get(B.getPtrTy());
  auto Start = [&](AllocaInst *Of) { return elementOf(B, Of, B.getInt64(0)); };
  SmallVector<Value *> Arguments{B.getInt32(static_cast<uint32_t>(kindOf(I))), Array ? Start(Array) : None,
                                 Array ? B.getInt32(0) : Same, Site.Mask ? Site.Mask : None, Site.Threads};
  if (waitOf(I) == Wait::BarrierReduce)
    return B.CreateCall(Site.L.entry(Entry), Arguments);
  AllocaInst *Results = Site.NewArray(B.getInt32Ty());
  Arguments.push_back(Start(Results));
  B.CreateCall(Site.L.entry(Entry), Arguments);
  B.SetInsertPoint(&I);
  return B.CreateLoad(B.getInt32Ty(), elementOf(B, Results, Site.Loop.Index));
}
} // namespace

Value *lowerWait(const WaitSite &Site, CallInst &I) {
  switch (waitOf(I)) {
  case Wait::Shuffle:
    return shuffle(Site, I);
  case Wait::Vote:
    return together(Site, I, "__gpuprof_cpu_votes", I.getArgOperand(3));
  case Wait::Reduction:
    return together(Site, I, "__gpuprof_cpu_reductions", I.getArgOperand(3));
  case Wait::BarrierReduce:
    return together(Site, I, "__gpuprof_cpu_block_reduction", I.getArgOperand(2));
  default:
    return nullptr;
  }
}
} // namespace gpuprof::cpu
