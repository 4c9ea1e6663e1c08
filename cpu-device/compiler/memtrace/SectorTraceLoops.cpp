// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memtrace/SectorTraceLoops.h"
#include "analysis/LoopAccess.h"
#include "module/GlobalAccesses.h"
#include "module/Lowering.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#define DEBUG_TYPE "gpuprof-cpu-sectors-of-loops"

using namespace llvm;

STATISTIC(AccessesOfLoops, "Number of accesses recorded once for all iterations of a loop");
STATISTIC(CallsOfLoops, "Number of calls that record accesses of a loop");

namespace gpuprof::cpu {
namespace {
constexpr int64_t SectorBytes = 32;
// In a loop of fewer iterations, recording each access takes less time than a call.
constexpr unsigned FewTurns = 8;

// Accesses of a loop at fixed distances without a whole sector between them.
struct Stream {
  Loop *Of = nullptr;
  LoopAccess First; // the first one found
  struct Part {
    int64_t Offset; // relative to the first
    uint64_t Bytes;
  };
  SmallVector<Part, 4> Parts;

  // From the lowest access to the end of the highest.
  std::pair<int64_t, uint64_t> extent() const {
    int64_t Low = INT64_MAX, High = INT64_MIN;
    for (const Part &P : Parts) {
      Low = std::min(Low, P.Offset);
      High = std::max(High, P.Offset + int64_t(P.Bytes));
    }
    return {Low, uint64_t(High - Low)};
  }
};

class LoopTrace {
public:
  LoopTrace(Lowering &L, Function &F) : L(L), Known(F) {}
  SmallVector<GlobalAccess> take(ArrayRef<GlobalAccess> Accesses, ArrayRef<InnerLoop> InnerLoops);

private:
  bool add(const GlobalAccess &A);
  bool join(Stream &S, const LoopAccess &A, uint64_t Bytes);
  bool isLong(const Loop &Of);
  void emit(const Stream &S);

  Lowering &L;
  LoopAnalyses Known;
  std::vector<Stream> Streams;
  SmallPtrSet<const BasicBlock *, 8> OfThreads; // headers of the work-item loops
};

// Considers only trip counts known ahead of the loop.
bool LoopTrace::isLong(const Loop &Of) {
  const SCEV *Repeats = backedgeTakenCount(Known, Of);
  const auto *Turns = dyn_cast_or_null<SCEVConstant>(Repeats);
  return Repeats && (!Turns || Turns->getAPInt().uge(FewTurns));
}

bool LoopTrace::join(Stream &S, const LoopAccess &A, uint64_t Bytes) {
  if (S.First.Step != A.Step || cast<SCEVConstant>(A.Step)->getAPInt().abs().ugt(SectorBytes))
    return false;
  const std::optional<int64_t> Offset = distance(Known, S.First.Start, A.Start);
  if (!Offset)
    return false;
  for (const Stream::Part &P : S.Parts)
    if (std::abs(P.Offset - *Offset) <= SectorBytes) {
      S.Parts.push_back({*Offset, Bytes});
      return true;
    }
  return false;
}

bool LoopTrace::add(const GlobalAccess &A) {
  BasicBlock *Block = A.At->getParent();
  Loop *Of = Known.Loops.getLoopFor(Block);
  if (!A.Bytes || A.Bytes > SectorBytes || !Of || OfThreads.contains(Of->getHeader()) ||
      !runsEachIteration(Known, *Of, *Block) || !isLong(*Of))
    return false;
  const std::optional<LoopAccess> Moves = loopAccess(Known, *Of, A.Pointer);
  if (!Moves || !isa<SCEVConstant>(Moves->Step))
    return false;
  for (Stream &S : Streams)
    if (S.Of == Of && join(S, *Moves, A.Bytes))
      return true;
  if (!Of->getLoopPreheader() && !InsertPreheaderForLoop(Of, &Known.Dominators, &Known.Loops, nullptr, false))
    return false;
  if (!canComputeAhead(Known, *Of, *Moves))
    return false;
  Streams.push_back({Of, *Moves, {{0, A.Bytes}}});
  return true;
}

void LoopTrace::emit(const Stream &S) {
  const LoopAccessValues Of = computeAhead(Known, *S.Of, S.First);
  const auto [Low, Bytes] = S.extent();
  IRBuilder<> B(S.Of->getLoopPreheader()->getTerminator());
  Value *Start = B.CreateAddrSpaceCast(Of.Start, B.getPtrTy());
  if (Low)
    Start = B.CreateConstGEP1_64(B.getInt8Ty(), Start, uint64_t(Low));
  B.CreateCall(L.entry("__gpuprof_cpu_record_row"), {Start, Of.Step, Of.Count, B.getInt64(Bytes)});
}

SmallVector<GlobalAccess> LoopTrace::take(ArrayRef<GlobalAccess> Accesses, ArrayRef<InnerLoop> InnerLoops) {
  for (const InnerLoop &Inner : InnerLoops)
    for (Loop *Of = Known.Loops.getLoopFor(Inner.First); Of; Of = Of->getParentLoop())
      OfThreads.insert(Of->getHeader());
  SmallVector<GlobalAccess> Left;
  for (const GlobalAccess &A : Accesses)
    if (add(A))
      ++AccessesOfLoops;
    else
      Left.push_back(A);
  CallsOfLoops += Streams.size();
  for (const Stream &S : Streams)
    emit(S);
  return Left;
}
} // namespace

// LLVM computes `x & 31` ahead of a loop as an extension of a number of five bits. Later stages know the index of a lane
// as the former only, and no vectors of such numbers.
static void maskInsteadOfTruncating(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Short = isa<ZExtInst>(I) ? dyn_cast<TruncInst>(I.getOperand(0)) : nullptr;
    if (!Short || !I.getType()->isIntegerTy() || Short->getType()->isIntegerTy(1) ||
        Short->getType()->getIntegerBitWidth() >= 8)
      continue;
    IRBuilder<> B(&I);
    Value *Long = Short->getOperand(0);
    const unsigned Bits = Short->getType()->getIntegerBitWidth(), LongBits = Long->getType()->getIntegerBitWidth();
    Value *Masked = B.CreateAnd(Long, ConstantInt::get(Long->getType(), APInt::getLowBitsSet(LongBits, Bits)));
    I.replaceAllUsesWith(B.CreateZExtOrTrunc(Masked, I.getType()));
    I.eraseFromParent();
    if (Short->use_empty())
      Short->eraseFromParent();
  }
}

void recordLoops(Lowering &L) {
  for (Kernel &K : L.Kernels) {
    K.Unrecorded = LoopTrace(L, *K.Body).take(K.Unrecorded, K.Loops);
    maskInsteadOfTruncating(*K.Body);
  }
}
} // namespace gpuprof::cpu
