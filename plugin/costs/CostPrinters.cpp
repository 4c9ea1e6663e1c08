// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/Contractions.h"
#include "costs/CostPrinters.h"
#include "costs/CostTable.h"
#include "costs/Costs.h"
#include "costs/PtxCosts.h"

#include "common/Compat.h"
#include "costs/WarpUniformity.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprof {
namespace {

void printCost(raw_ostream &OS, const InstructionCost &Cost) {
  for (auto [Class, Amount] : Cost.Amounts)
    OS << " " << costClassName(Class) << "=" << Amount;
  if (!Cost.Why.empty())
    OS << " uncounted: " << Cost.What << " (" << Cost.Why << ")";
}

// Among the targets' own intrinsics, device code has only NVPTX's.
bool mayBeInDeviceCode(Intrinsic::ID Id) {
  return !compat::isTargetIntrinsic(Id) || Intrinsic::getBaseName(Id).starts_with("llvm.nvvm.");
}

// The cost of a call with unknown operands, in a module of its own.
InstructionCost costOfCall(Module &Scratch, Intrinsic::ID Id) {
  LLVMContext &C = Scratch.getContext();
  FunctionType *T = Intrinsic::getType(C, Id);
  Function *Callee = Function::Create(T, GlobalValue::ExternalLinkage, Intrinsic::getName(Id), &Scratch);
  Function *Caller = Function::Create(FunctionType::get(Type::getVoidTy(C), false),
                                      GlobalValue::ExternalLinkage, "caller", &Scratch);
  IRBuilder<> B(BasicBlock::Create(C, "", Caller));
  SmallVector<Value *, 16> Arguments;
  for (Type *Parameter : T->params())
    Arguments.push_back(Parameter->isMetadataTy() ? MetadataAsValue::get(C, MDNode::get(C, {}))
                                                  : static_cast<Value *>(PoisonValue::get(Parameter)));
  InstructionCost Cost = costOf(*B.CreateCall(Callee, Arguments));
  Caller->eraseFromParent();
  Callee->eraseFromParent();
  return Cost;
}

} // namespace

PreservedAnalyses CostsPrinterPass::run(Module &M, ModuleAnalysisManager &) {
  noteTensorCopies(M);
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    OS << "costs of " << F.getName() << ":\n";
    const WarpUniformity Lanes(F);
    const Contractions Selection(F, Mode);
    for (BasicBlock &BB : F)
      for (Instruction &I : BB) {
        const InstructionCost Cost = costOf(I, &Lanes, &Selection);
        if (Cost.Amounts.empty() && Cost.Why.empty())
          continue;
        OS << " ";
        printCost(OS, Cost);
        OS << " :" << I << "\n";
      }
  }
  return PreservedAnalyses::all();
}

PreservedAnalyses IntrinsicsPrinterPass::run(Module &M, ModuleAnalysisManager &) {
  Module Scratch("gpuprof-intrinsics", M.getContext());
  for (unsigned Id = 1; Id < Intrinsic::num_intrinsics; ++Id) {
    if (!mayBeInDeviceCode(Id))
      continue;
    OS << Intrinsic::getBaseName(Id) << ":";
    if (!findIntrinsicCost(Intrinsic::getBaseName(Id)))
      OS << " no row";
    else if (!Intrinsic::isOverloaded(Id))
      printCost(OS, costOfCall(Scratch, Id));
    OS << "\n";
  }
  return PreservedAnalyses::all();
}

} // namespace gpuprof
