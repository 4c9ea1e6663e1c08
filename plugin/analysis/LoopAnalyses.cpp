// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/LoopAnalyses.h"

#include "common/Compat.h"

using namespace llvm;

namespace gpuprof {

LoopAnalyses::LoopAnalyses(Function &F)
    : Dominators(F), Loops(Dominators), Assumptions(F),
      LibraryImplementation(compat::getTriple(*F.getParent())), Library(LibraryImplementation, &F),
      Evolution(F, Library, Assumptions, Dominators, Loops) {}

} // namespace gpuprof
