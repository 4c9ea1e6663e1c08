// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/RegionEntries.h"
#include "module/SourceLocations.h"
#include "workitem/ConvergentOps.h"
#include "workitem/MatrixRuns.h"
#include "workitem/ThreadArray.h"

using namespace llvm;

namespace gpuprof::cpu {
// Missing lanes read as 0.
void RegionEntries::shareLanes(ParallelRegion &R, AllocaInst *Array) {
  if (R.In)
    R.In->Shuffled.insert(Array);
  if (!Shuffled.insert(Array).second)
    return;
  IRBuilder<> B(Body.Setup->getTerminator());
  Type *T = Array->getAllocatedType()->getArrayElementType();
  B.CreateMemSet(elementOf(B, Array, B.CreateZExt(Body.Threads, B.getInt64Ty())), B.getInt8(0),
                 ArrayPadding * Body.F.getParent()->getDataLayout().getTypeAllocSize(T), Align(1));
}

void RegionEntries::lowerMatrices(const ConvergentSite &Site, CallInst &First) {
  for (CallInst *I : runOf(First)) {
    const SmallVector<MatrixResult> Results = lowerMatrix(Site, *I);
    for (const MatrixResult &Given : Results)
      Values.setElements(Given.Value, Given.Array);
    for (User *U : make_early_inc_range(I->users())) {
      auto *Register = cast<ExtractValueInst>(U);
      Register->replaceAllUsesWith(Results[Register->getIndices()[0]].Value);
      Body.Dead.push_back(Register);
    }
    Body.Dead.push_back(I);
  }
}

void RegionEntries::lowerRun(const ConvergentSite &Site, ParallelRegion &R, ArrayRef<Instruction *> Run) {
  IRBuilder<> B(Body.Loops[&R].Head->getTerminator());
  const bool IsRange = R.In && !R.In->Range.empty();
  auto Differs = [&](const Value *V) { return !Values.isOutside(V) && Values.differs(V); };
  const WarpRunSite Block{*Body.F.getArg(0),
                          {Body.Sizes[0], Body.Sizes[1], Body.Sizes[2]},
                          IsRange ? B.CreateLoad(B.getInt32Ty(), R.In->Low[AlongX]) : nullptr,
                          IsRange ? B.CreateLoad(B.getInt32Ty(), R.In->Count[AlongX]) : nullptr,
                          Differs};
  for (const WarpResult &Result : lowerWarpRun(Site, Block, Run)) {
    if (isa<LoadInst>(Result.Value))
      Values.setElements(Result.Value, Result.Array);
    Result.Of->replaceAllUsesWith(Result.Value);
  }
  Body.Dead.append(Run.begin(), Run.end());
}

void RegionEntries::lower(ParallelRegion &R) {
  const ConvergentOp Kind = convergentOp(R.Entry->front());
  if (Kind == ConvergentOp::None)
    return;
  auto &I = cast<CallInst>(R.Entry->front());
  IRBuilder<> B(Body.Loops[&R].Head->getTerminator());
  if (isForCluster(I)) // once all threads of this block have arrived
    B.CreateCall(Body.L.entry("__gpuprof_cpu_cluster_wait"), {Body.F.getArg(0)});
  Value *Mask = nullptr;
  if (R.In && isFullWarp(I))
    Mask = B.CreateLoad(B.getPtrTy(), R.In->Parted);
  else if (R.In && Kind != ConvergentOp::Barrier)
    Mask = elementOf(B, R.In->Mask, B.getInt64(0));
  const ArrayRef<Instruction *> Run = Body.Runs.of(I);
  ConvergentSite Site{Body.L,
                      Body.Loops[&R],
                      Body.Threads,
                      Mask,
                      R.In ? Exits.alive(*R.In, B) : nullptr,
                      R.In && R.In->EndsAtReturn,
                      Kind == ConvergentOp::Barrier ? nullptr : Body.L.text(placeOf(I.getDebugLoc())),
                      [&](Value *V) {
                        AllocaInst *Array =
                            Values.isOutside(V) || !Values.differs(V) ? nullptr : Values.elements(V);
                        if (Array && Kind == ConvergentOp::Shuffle && Run.empty())
                          shareLanes(R, Array);
                        return Array;
                      },
                      [&](Type *T) { return Body.array(T); },
                      [&](Value *V) { return Values.here(R, V); }};
  if (Kind == ConvergentOp::Matrix) {
    lowerMatrices(Site, I);
    return;
  }
  if (!Run.empty()) {
    lowerRun(Site, R, Run);
    return;
  }
  Value *Result = lowerConvergentOp(Site, I);
  if (Result) {
    if (Kind == ConvergentOp::BarrierReduce)
      Values.setUniform(Result);
    I.replaceAllUsesWith(Result);
  }
  Body.Dead.push_back(&I);
}
} // namespace gpuprof::cpu
