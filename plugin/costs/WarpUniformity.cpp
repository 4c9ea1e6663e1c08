// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/WarpUniformity.h"

#include "common/Compat.h"
#include "costs/Spaces.h"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprof {
namespace {

// Registers uniform for all threads of a block; tid, laneid, clock and the others are excluded.
bool readsBlockRegister(StringRef Name) {
  static constexpr StringRef Registers[] = {
      "ctaid.",      "ntid.",          "nctaid.",         "warpsize",        "gridid",          "clusterid.",
      "nclusterid.", "cluster.ctaid.", "cluster.nctaid.", "cluster.ctarank", "cluster.nctarank"};
  return Name.consume_front("llvm.nvvm.read.ptx.sreg.") &&
         any_of(Registers, [&](StringRef Register) { return Name.starts_with(Register); });
}

bool isDivergentCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isIntrinsic())
    return true;
  // NVIDIA's own intrinsics often depend on the lane: shuffles, votes, fragments of matrices.
  if (Callee->getName().starts_with("llvm.nvvm."))
    return !readsBlockRegister(Callee->getName());
  return Call.isConvergent() || !Call.doesNotAccessMemory();
}

// Sources of divergence: values that may differ between converged lanes although their operands are uniform.
bool isDivergentSource(const Value *V) {
  if (const auto *A = dyn_cast<Argument>(V))
    return !compat::isKernel(*A->getParent());
  if (const auto *Load = dyn_cast<LoadInst>(V)) {
    const Space S = spaceOf(*Load->getPointerOperand());
    return !Load->isSimple() || S == Space::Local || S == Space::Unknown;
  }
  if (const auto *Call = dyn_cast<CallBase>(V))
    return !Call->getType()->isVoidTy() && isDivergentCall(*Call);
  return isa<AtomicRMWInst, AtomicCmpXchgInst, AllocaInst, VAArgInst>(V);
}

} // namespace

// The sources are gpuprof's, not the target's. NVPTX takes every call for divergent, even one reading ctaid,
// and every load from a still generic pointer.
WarpUniformity::WarpUniformity(Function &F) : F(F) {
  Analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  Analyses.registerPass([] { return DominatorTreeAnalysis(); });
  Analyses.registerPass([] { return CycleAnalysis(); });
  Analyses.registerPass([] {
    return TargetIRAnalysis([](const Function &F) { return compat::lanesTarget(F, isDivergentSource); });
  });
  Analyses.registerPass([] { return UniformityInfoAnalysis(); });
  Analyses.getResult<UniformityInfoAnalysis>(F);
}

bool WarpUniformity::isUniform(const Use &U) const {
  return !compat::isDivergentUse(*Analyses.getCachedResult<UniformityInfoAnalysis>(F), U);
}

bool WarpUniformity::mayDiverge(const BasicBlock &BB) const {
  return Analyses.getCachedResult<UniformityInfoAnalysis>(F)->hasDivergentTerminator(BB);
}

} // namespace gpuprof
