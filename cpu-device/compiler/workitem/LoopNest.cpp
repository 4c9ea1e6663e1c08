// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/LoopNest.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// The number of a row's first thread in its block.
Value *firstOfRow(IRBuilder<> &B, const LoopNest &Loop, const LoopNestBounds &Bounds) {
  auto Wide = [&](Value *V) { return B.CreateZExt(V, B.getInt64Ty()); };
  Value *Row = B.CreateMul(Wide(Bounds.Sizes[1]), Wide(Loop.Position[0]), "", true, true);
  Row = B.CreateAdd(Wide(Loop.Position[1]), Row, "", true, true);
  return B.CreateMul(Wide(Bounds.Sizes[2]), Row, "row", true, true);
}
} // namespace

LoopNest makeLoopNest(IRBuilder<> &B, const LoopNestBounds &Bounds, BasicBlock &Body) {
  assert(!B.GetInsertBlock()->getTerminator() && "the head has no end yet");
  auto Block = [&](const Twine &Name) {
    return BasicBlock::Create(B.getContext(), Name, Body.getParent(), &Body);
  };
  LoopNest Loop;
  Loop.Head = B.GetInsertBlock();
  BasicBlock *const Tops[3] = {Block("z"), Block("y"), Block("x")};
  BasicBlock *const Ends[3] = {Block("z.end"), Block("y.end"), Block("x.end")};
  Loop.First = Tops[2];
  Loop.Latch = Ends[2];
  Loop.Done = Block("done");
  BasicBlock *Before = Loop.Head;
  Value *Row = nullptr;
  for (unsigned N = 0; N != 3; ++N) {
    if (N == 2)
      Row = firstOfRow(B, Loop, Bounds);
    B.CreateBr(Tops[N]);
    B.SetInsertPoint(Tops[N]);
    Loop.Counter[N] = B.CreatePHI(B.getInt32Ty(), 2);
    Loop.Counter[N]->addIncoming(B.getInt32(0), Before);
    Before = Tops[N];
    Loop.Count[N] = Bounds.Counts[N];
    Loop.Position[N] = Loop.Counter[N];
    if (N == 2 && Bounds.Apart > 1)
      Loop.Position[N] = B.CreateMul(Loop.Position[N], B.getInt32(Bounds.Apart), "", true, true);
    if (Bounds.Lowest[N])
      Loop.Position[N] = B.CreateAdd(Bounds.Lowest[N], Loop.Position[N], "", true, true);
  }
  Loop.Index = B.CreateAdd(B.CreateZExt(Loop.Position[2], B.getInt64Ty()), Row, "thread", true, true);
  Loop.Linear = B.CreateTrunc(Loop.Index, B.getInt32Ty());
  B.CreateBr(&Body);
  for (unsigned N = 3; N-- != 0;) {
    B.SetInsertPoint(Ends[N]);
    Value *Next = B.CreateAdd(Loop.Counter[N], B.getInt32(1), "", true, true);
    Loop.Counter[N]->addIncoming(Next, Ends[N]);
    B.CreateCondBr(B.CreateICmpNE(Next, Loop.Count[N]), Tops[N], N ? Ends[N - 1] : Loop.Done);
  }
  B.SetInsertPoint(Loop.Done);
  return Loop;
}
} // namespace gpuprof::cpu
