// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/LoopPreparation.h"
#include "module/Lowering.h"
#include "module/Matrix.h"
#include "workitem/ConvergentOps.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/Cloning.h"

#define DEBUG_TYPE "gpuprof-cpu-work-item-loops"

using namespace llvm;

STATISTIC(KernelsOnStacks, "Number of kernels with convergent operations left on stacks");

namespace gpuprof::cpu {
namespace {
constexpr unsigned MostInlined = 64; // calls
constexpr ptrdiff_t MostConvergentOps =
    256; // a loop each: compile time grows with the square of their number

bool hasConvergentOps(Function &F) {
  if (F.hasFnAttribute(WarpMatrixAttribute)) // its calls are the operations
    return false;
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return convergentOp(I) != ConvergentOp::None || (Callee && isForOtherUnits(*Callee));
  });
}

} // namespace

void remarkOnStacks(Function &Body, StringRef Why, const Instruction *At) {
  LLVM_DEBUG(dbgs() << Body.getName() << " stays on stacks: " << Why << "\n");
  if (!hasConvergentOps(Body))
    return;
  ++KernelsOnStacks;
  OptimizationRemarkEmitter Remarks(&Body);
  const DebugLoc Place = At ? At->getDebugLoc() : DebugLoc();
  OptimizationRemarkMissed Remark("gpuprof", "OnStacks", Place, &Body.getEntryBlock());
  StringRef Name = Body.getName();
  Name.consume_back(".body.cpu");
  Remark << "threads of kernel " << demangle(Name.str()) << " run on a stack each: " << Why;
  Remarks.emit(Remark);
}

namespace {
// The reason to leave a body to fibers; empty: none. Only visible convergent operations can be cut.
StringRef reasonAgainst(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  if (convergentOp(I) == ConvergentOp::Unknown)
    return "it waits in a way that is left to stacks";
  if (Call && Call->getCalledFunction() && isForOtherUnits(*Call->getCalledFunction()))
    return "it calls a function of another unit";
  if (isa<AllocaInst>(I) && !cast<AllocaInst>(I).isStaticAlloca())
    return "it has an array whose size is not known";
  return "";
}

bool hasConvergentCalls(Lowering &L, Function &Body) {
  return any_of(L.reachable(Body), [&](Function *F) { return F != &Body && hasConvergentOps(*F); });
}

bool canFormLoops(Lowering &L, Kernel &K) {
  for (Instruction &I : instructions(*K.Body))
    if (StringRef Why = reasonAgainst(I); !Why.empty()) {
      remarkOnStacks(*K.Body, Why, &I);
      return false;
    }
  if (count_if(instructions(*K.Body), [](const Instruction &I) {
        return convergentOp(I) != ConvergentOp::None &&
               convergentOp(I) != ConvergentOp::Matrix; // matrix instructions come in runs
      }) > MostConvergentOps) {
    remarkOnStacks(
        *K.Body,
        "it waits at more than 256 places, and loops for all of them would take too long to compile");
    return false;
  }
  if (!hasConvergentCalls(L, *K.Body))
    return true;
  remarkOnStacks(*K.Body, "it waits in a function that cannot be inlined");
  return false;
}

bool callsItself(Lowering &L, Function &F) {
  return any_of(L.reachable(F), [&](Function *Reached) {
    return any_of(instructions(*Reached), [&](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      return Call && Call->getCalledFunction() == &F;
    });
  });
}

CallInst *convergentCall(Lowering &L, Function &Body) {
  for (Instruction &I : instructions(Body)) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && !Callee->isDeclaration() && !isForOtherUnits(*Callee) &&
        any_of(L.reachable(*Callee), [](Function *F) { return hasConvergentOps(*F); }) &&
        !callsItself(L, *Callee))
      return Call;
  }
  return nullptr;
}

// Inlines functions with convergent operations, and their callers.
void inlineConvergentCalls(Lowering &L, Function &Body) {
  for (unsigned Left = MostInlined; Left; --Left) {
    CallInst *Call = convergentCall(L, Body);
    InlineFunctionInfo Info;
    if (!Call || !InlineFunction(*Call, Info).isSuccess())
      break;
  }
  for (Instruction &I : make_early_inc_range(instructions(Body)))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (const Function *Callee = Call->getCalledFunction();
          Callee && Callee->getName() == "__gpuprof_cpu_self") {
        Call->replaceAllUsesWith(Body.getArg(0));
        Call->eraseFromParent();
      }
}

// A structure that may be written is copied for each thread.
void copyWritten(Kernel &K) {
  const DataLayout &Layout = K.Body->getParent()->getDataLayout();
  IRBuilder<> B(&*K.Body->getEntryBlock().begin());
  for (unsigned I = 0; I != K.ByVal.size(); ++I) {
    if (!K.Written[I])
      continue;
    Argument *Given = K.Body->getArg(I + 1);
    AllocaInst *Copy = B.CreateAlloca(K.ByVal[I]);
    Copy->setAlignment(std::max(Copy->getAlign(), Given->getParamAlign().valueOrOne()));
    Value *Own = B.CreateAddrSpaceCast(Copy, Given->getType());
    Given->replaceAllUsesWith(Own);
    B.CreateMemCpy(Copy, Copy->getAlign(), Given, Align(1), Layout.getTypeAllocSize(K.ByVal[I]));
  }
}
} // namespace

bool prepareForLoops(Lowering &L, Kernel &K) {
  inlineConvergentCalls(L, *K.Body);
  if (!canFormLoops(L, K))
    return false;
  copyWritten(K);
  return true;
}
} // namespace gpuprof::cpu
