// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/SourceBreadcrumbs.h"
#include "module/Lowering.h"
#include "module/Matrix.h"
#include "module/SourceLocations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {

// Calls ending a launch, in the program or inserted by the lowering. A work-item loop keeps its thread in a
// register; only these few calls need it in memory.
static void tellStops(Lowering &L) {
  for (const char *Name : {"__gpuprof_cpu_assert_fail", "__gpuprof_cpu_trap", "__gpuprof_cpu_unsupported"})
    if (Function *Entry = L.M.getFunction(Name))
      for (User *U : Entry->users())
        if (auto *Call = dyn_cast<CallInst>(U);
            Call && any_of(L.Kernels, [&](const Kernel &K) { return K.Body == Call->getFunction(); })) {
          IRBuilder<> B(Call);
          Value *const Thread[] = {L.load(B, Field::tid_x), L.load(B, Field::tid_y), L.load(B, Field::tid_z)};
          B.CreateCall(L.entry("__gpuprof_cpu_stops"), Thread);
        }
}

void leaveBreadcrumbs(Lowering &L) {
  tellStops(L);
  SmallVector<CallInst *> Calls;
  for (Function &F : L.M)
    if (scheduleOf(F.getName()) == Schedule::waits || F.hasFnAttribute(WarpMatrixAttribute))
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallInst>(U);
            Call && !Call->getFunction()->hasFnAttribute(WarpMatrixAttribute)) // its line is stored already
          Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    const std::string Place = placeOf(Call->getDebugLoc());
    IRBuilder<> B(Call);
    Constant *Text = Place.empty() ? ConstantPointerNull::get(B.getPtrTy()) : L.text(Place);
    B.CreateStore(Text, B.CreateStructGEP(L.ThreadType, L.thread(*Call->getFunction()),
                                          static_cast<unsigned>(Field::where)));
  }
}
} // namespace gpuprof::cpu
