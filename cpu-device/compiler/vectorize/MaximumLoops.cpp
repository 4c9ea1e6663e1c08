// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vectorize/MaximumLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {

bool isExtreme(const User *U) {
  const auto *Call = dyn_cast<IntrinsicInst>(U);
  return Call && (Call->getIntrinsicID() == Intrinsic::maxnum || Call->getIntrinsicID() == Intrinsic::minnum);
}

bool carriesExtreme(const Loop &L) {
  return any_of(L.getHeader()->phis(), [&](const PHINode &Carried) {
    return any_of(Carried.users(),
                  [&](const User *U) { return isExtreme(U) && L.contains(cast<Instruction>(U)); });
  });
}

} // namespace

PreservedAnalyses MaximumLoopsPass::run(Function &F, FunctionAnalysisManager &Analyses) {
  for (Loop *L : Analyses.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (L->isInnermost() && L->getLoopLatch() && carriesExtreme(*L))
      addStringMetadataToLoop(L, "llvm.loop.vectorize.enable", 0);
  return PreservedAnalyses::all();
}

} // namespace gpuprof::cpu
