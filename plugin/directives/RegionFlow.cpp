// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "directives/RegionFlow.h"

#include "directives/Regions.h"
#include "gpuprof/abi.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof {
namespace {

// At a join, the regions open on all paths are open.
void meet(OpenRegions &Into, const OpenRegions &Other) {
  size_t Same = 0;
  while (Same < Into.size() && Same < Other.size() && Into[Same] == Other[Same])
    ++Same;
  Into.truncate(Same);
}

} // namespace

CallInst *asMarker(Instruction &I, StringRef Name) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Name ? Call : nullptr;
}

Value *scopeVariable(CallInst &Enter) {
  for (User *U : Enter.users())
    if (auto *Store = dyn_cast<StoreInst>(U))
      return Store->getPointerOperand()->stripPointerCasts();
  return nullptr;
}

std::string descriptionOf(const CallInst &Enter) {
  const auto *String = dyn_cast<GlobalVariable>(getUnderlyingObject(Enter.getArgOperand(0)));
  if (!String || !String->hasInitializer())
    return {};
  const auto *Text = dyn_cast<ConstantDataArray>(String->getInitializer());
  if (!Text || !Text->isString())
    return {};
  return Text->getAsString().split('\0').first.str();
}

RegionFlow::RegionFlow(Function &F) {
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      if (CallInst *Enter = asMarker(I, GPUPROF_MARK_ENTER))
        if (descriptionField(descriptionOf(*Enter), "kind") == "kernel")
          WholeFunction = {Enter};
  ReversePostOrderTraversal<Function *> Order(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : Order)
      Changed |= visit(*BB);
  }
}

void RegionFlow::forEach(Function &F, function_ref<void(Instruction &, ArrayRef<CallInst *>)> Each,
                         function_ref<void(ArrayRef<CallInst *>)> Entered) {
  for (BasicBlock &BB : F) {
    OpenRegions Open = Entry.lookup(&BB).value_or(OpenRegions());
    for (Instruction &I : BB)
      if (!step(I, Open))
        Each(I, Open);
      else if (Entered && asMarker(I, GPUPROF_MARK_ENTER))
        Entered(Open);
  }
}

// Follows one instruction; true if it is a marker.
bool RegionFlow::step(Instruction &I, OpenRegions &Open) const {
  if (CallInst *Enter = asMarker(I, GPUPROF_MARK_ENTER)) {
    if (!is_contained(WholeFunction, Enter))
      Open.push_back(Enter);
    return true;
  }
  CallInst *Exit = asMarker(I, GPUPROF_MARK_EXIT);
  if (!Exit)
    return false;
  const Value *Variable = Exit->getArgOperand(0)->stripPointerCasts();
  for (size_t N = Open.size(); N > WholeFunction.size(); --N)
    if (scopeVariable(*Open[N - 1]) == Variable) {
      Open.truncate(N - 1);
      break;
    }
  return true;
}

bool RegionFlow::visit(BasicBlock &BB) {
  std::optional<OpenRegions> In;
  if (BB.isEntryBlock())
    In = WholeFunction;
  for (BasicBlock *Predecessor : predecessors(&BB)) {
    auto Known = Exit.find(Predecessor);
    if (Known == Exit.end())
      continue;
    if (In)
      meet(*In, Known->second);
    else
      In = Known->second;
  }
  if (!In)
    return false;
  OpenRegions Open = *In;
  for (Instruction &I : BB)
    step(I, Open);
  Entry[&BB] = std::move(In);
  auto [Slot, New] = Exit.try_emplace(&BB, Open);
  if (!New && Slot->second == Open)
    return false;
  Slot->second = std::move(Open);
  return true;
}

} // namespace gpuprof
