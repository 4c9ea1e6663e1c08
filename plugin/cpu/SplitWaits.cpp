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

Value *shuffle(const WaitSite &Site, CallInst &I) {
  IRBuilder<> B(&I);
  Value *Lane = B.CreateAnd(Site.Loop.Linear, 31);
  Value *Delta = B.CreateAnd(Site.Here(I.getArgOperand(4)), 31), *Control = Site.Here(I.getArgOperand(5));
  Value *Clamp = B.CreateAnd(Control, 31), *Segment = B.CreateAnd(B.CreateLShr(Control, 8), 31);
  Value *Others = B.CreateNot(Segment), *InSegment = B.CreateAnd(Lane, Segment);
  Value *Last = B.CreateOr(InSegment, B.CreateAnd(Clamp, Others));
  Value *Inside = nullptr;
  Value *Source = sourceLane(B, kindOf(I), Lane, Delta, Last, InSegment, Others, Inside);
  Value *From = B.CreateAdd(B.CreateSub(Site.Loop.Linear, Lane), B.CreateSelect(Inside, Source, Lane));
  // Lanes behind the last thread, or that have returned, give 0.
  Value *Exists = B.CreateICmpULT(From, Site.Threads);
  From = B.CreateSelect(Exists, From, Site.Loop.Linear);
  if (Site.Mask)
    Exists = B.CreateAnd(
        Exists, B.CreateICmpNE(B.CreateLoad(B.getInt8Ty(), elementOf(B, Site.Mask, From)), B.getInt8(0)));
  Value *Given = I.getArgOperand(3);
  AllocaInst *Array = Site.Elements(Given);
  Value *There = Array ? B.CreateLoad(Given->getType(), elementOf(B, Array, From)) : Site.Here(Given);
  There = B.CreateSelect(Exists, There, B.getInt32(0));
  return B.CreateOr(B.CreateZExt(There, B.getInt64Ty()),
                    B.CreateShl(B.CreateZExt(Inside, B.getInt64Ty()), 32));
}

// All results at once, before the first thread goes on.
Value *together(const WaitSite &Site, CallInst &I, StringRef Entry, Value *Given) {
  IRBuilder<> B(Site.Loop.Head->getTerminator());
  AllocaInst *Array = Site.Elements(Given);
  Value *None = ConstantPointerNull::get(B.getPtrTy());
  Value *Mask = Site.Mask ? Site.Mask : None;
  SmallVector<Value *> Arguments{B.getInt32(static_cast<uint32_t>(kindOf(I))), Array ? Array : None};
  Arguments.push_back(Array ? B.getInt32(0) : Site.Here(Given));
  Arguments.append({Mask, Site.Threads});
  if (waitOf(I) == Wait::BarrierReduce) {
    B.SetInsertPoint(Site.Loop.Head->getTerminator());
    return B.CreateCall(Site.L.entry(Entry), Arguments);
  }
  AllocaInst *Results = Site.NewArray(B.getInt32Ty());
  Arguments.push_back(Results);
  B.SetInsertPoint(Site.Loop.Head->getTerminator());
  B.CreateCall(Site.L.entry(Entry), Arguments);
  B.SetInsertPoint(&I);
  return B.CreateLoad(B.getInt32Ty(), elementOf(B, Results, Site.Loop.Linear));
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
