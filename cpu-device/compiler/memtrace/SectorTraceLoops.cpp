// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memtrace/SectorTraceLoops.h"
#include "analysis/LoopAnalyses.h"
#include "common/Compat.h"
#include "lower/Lowering.h"
#include "memtrace/GlobalAccesses.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr int64_t SectorBytes = 32;
// A loop of fewer iterations records its accesses in less time than a call takes.
constexpr unsigned FewTurns = 8;

// Accesses of a loop that lie at fixed distances from one another, so close that no sector lies between them.
struct Stream {
  Loop *Of = nullptr;
  const SCEV *Start = nullptr, *Step = nullptr; // of the first access found
  struct Part {
    int64_t Offset; // from Start
    uint64_t Bytes;
  };
  SmallVector<Part, 4> Parts;

  // From the lowest to the end of the highest.
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
  LoopTrace(Lowering &L, Function &F) : L(L), F(F), Known(F) {}
  SmallVector<GlobalAccess> take(ArrayRef<GlobalAccess> Accesses, ArrayRef<InnerLoop> InnerLoops);

private:
  bool add(const GlobalAccess &A);
  bool join(Stream &S, const SCEV *Start, const SCEV *Step, uint64_t Bytes);
  bool canCount(Loop *Of, const GlobalAccess &A);
  void emit(const Stream &S);

  Lowering &L;
  Function &F;
  LoopAnalyses Known;
  std::vector<Stream> Streams;
  SmallPtrSet<const BasicBlock *, 8> OfThreads; // headers of the loops over threads
};

// Does the access run once each iteration, of a loop whose trip count is known before it?
bool LoopTrace::canCount(Loop *Of, const GlobalAccess &A) {
  BasicBlock *Latch = Of->getLoopLatch();
  if (!Latch || Of->getExitingBlock() != Latch || !Known.Dominators.dominates(A.At->getParent(), Latch))
    return false;
  const SCEV *Repeats = Known.Evolution.getBackedgeTakenCount(Of);
  if (isa<SCEVCouldNotCompute>(Repeats))
    return false;
  const auto *Turns = dyn_cast<SCEVConstant>(Repeats);
  return !Turns || Turns->getAPInt().uge(FewTurns);
}

bool LoopTrace::join(Stream &S, const SCEV *Start, const SCEV *Step, uint64_t Bytes) {
  const auto *Moves = dyn_cast<SCEVConstant>(Step);
  if (S.Step != Step || !Moves || Moves->getAPInt().abs().ugt(SectorBytes))
    return false;
  const auto *Distance = dyn_cast<SCEVConstant>(Known.Evolution.getMinusSCEV(Start, S.Start));
  if (!Distance)
    return false;
  const int64_t Offset = Distance->getAPInt().getSExtValue();
  for (const Stream::Part &P : S.Parts)
    if (std::abs(P.Offset - Offset) <= SectorBytes) {
      S.Parts.push_back({Offset, Bytes});
      return true;
    }
  return false;
}

bool LoopTrace::add(const GlobalAccess &A) {
  Loop *Of = Known.Loops.getLoopFor(A.At->getParent());
  if (!A.Bytes || A.Bytes > SectorBytes || !Of || OfThreads.contains(Of->getHeader()) || !canCount(Of, A))
    return false;
  ScalarEvolution &Evolution = Known.Evolution;
  const SCEV *Address = Evolution.getSCEV(A.Pointer), *Start = Address, *Step = nullptr;
  if (const auto *Moving = dyn_cast<SCEVAddRecExpr>(Address);
      Moving && Moving->getLoop() == Of && Moving->isAffine()) {
    Start = Moving->getStart();
    Step = Moving->getStepRecurrence(Evolution);
  } else
    Step = Evolution.getZero(Type::getInt64Ty(F.getContext()));
  if (!Evolution.isLoopInvariant(Start, Of) || !isa<SCEVConstant>(Step))
    return false;
  for (Stream &S : Streams)
    if (S.Of == Of && join(S, Start, Step, A.Bytes))
      return true;
  if (!Of->getLoopPreheader() && !InsertPreheaderForLoop(Of, &Known.Dominators, &Known.Loops, nullptr, false))
    return false;
  Instruction *At = Of->getLoopPreheader()->getTerminator();
  SCEVExpander Writer = compat::scevExpander(Evolution, L.M);
  if (!Writer.isSafeToExpandAt(Start, At) ||
      !Writer.isSafeToExpandAt(Evolution.getBackedgeTakenCount(Of), At))
    return false;
  Streams.push_back({Of, Start, Step, {{0, A.Bytes}}});
  return true;
}

void LoopTrace::emit(const Stream &S) {
  ScalarEvolution &Evolution = Known.Evolution;
  Instruction *At = S.Of->getLoopPreheader()->getTerminator();
  SCEVExpander Writer = compat::scevExpander(Evolution, L.M);
  IRBuilder<> B(At);
  Type *Long = B.getInt64Ty();
  const SCEV *Turns = Evolution.getAddExpr(
      Evolution.getTruncateOrZeroExtend(Evolution.getBackedgeTakenCount(S.Of), Long), Evolution.getOne(Long));
  Value *Count = Writer.expandCodeFor(Turns, Long, At);
  Value *Start = Writer.expandCodeFor(S.Start, S.Start->getType(), At);
  const auto [Low, Bytes] = S.extent();
  B.SetInsertPoint(At);
  Start = B.CreateAddrSpaceCast(Start, B.getPtrTy());
  if (Low)
    Start = B.CreateConstGEP1_64(B.getInt8Ty(), Start, uint64_t(Low));
  const int64_t Step = cast<SCEVConstant>(S.Step)->getAPInt().getSExtValue();
  B.CreateCall(L.entry("__gpuprof_cpu_record_row"),
               {Start, B.getInt64(uint64_t(Step)), Count, B.getInt64(Bytes)});
}

SmallVector<GlobalAccess> LoopTrace::take(ArrayRef<GlobalAccess> Accesses, ArrayRef<InnerLoop> InnerLoops) {
  for (const InnerLoop &Inner : InnerLoops)
    for (Loop *Of = Known.Loops.getLoopFor(Inner.First); Of; Of = Of->getParentLoop())
      OfThreads.insert(Of->getHeader());
  SmallVector<GlobalAccess> Left;
  for (const GlobalAccess &A : Accesses)
    if (!add(A))
      Left.push_back(A);
  for (const Stream &S : Streams)
    emit(S);
  return Left;
}
} // namespace

void recordLoops(Lowering &L) {
  for (Kernel &K : L.Kernels)
    K.Unrecorded = LoopTrace(L, *K.Body).take(K.Unrecorded, K.Loops);
}
} // namespace gpuprof::cpu
