// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/CloneCalls.h"

#include "analysis/CountPlan.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprof {
namespace {

// On a call adding to a counter: the counter's group.
constexpr const char *GroupTag = "gpuprof.group";
// Stands in a block counting for itself.
constexpr const char *BlockCount = "gpuprof.value.count.block";
// Calls are inlined into each other: no larger clone is made.
constexpr unsigned LargestClone = 100000;

bool callsItself(const KernelPlan &Plan, size_t N, std::vector<char> &Open) {
  if (Open[N])
    return true;
  Open[N] = 1;
  const bool Found =
      any_of(Plan.Instances[N].Calls, [&](auto &Call) { return callsItself(Plan, Call.second, Open); });
  Open[N] = 0;
  return Found;
}

class Inliner {
public:
  explicit Inliner(KernelPlan &Plan) : Plan(Plan), Clone(Plan.kernel()), Callees(Plan.Instances.size()) {}

  std::string run() {
    std::vector<ValueToValueMapTy> Maps(Plan.Instances.size());
    for (size_t N = 1; N < Plan.Instances.size(); ++N)
      Callees[N] = calleeFor(Plan.Instances[N], Maps[N]);
    for (size_t N = 0; N < Plan.Instances.size(); ++N)
      for (auto [Call, Target] : Plan.Instances[N].Calls)
        (N ? cast<CallInst>(Maps[N][Call]) : Call)->setCalledFunction(Callees[Target]);
    const std::string Problem = inlineAll();
    if (Problem.empty())
      mergePlan();
    for (Function *Callee : Callees)
      if (Callee)
        Callee->dropAllReferences();
    for (Function *Callee : Callees)
      if (Callee) {
        Callee->replaceAllUsesWith(PoisonValue::get(Callee->getType())); // an abandoned clone may call it
        Callee->eraseFromParent();
      }
    return Problem;
  }

private:
  static Function *calleeFor(const FunctionInstance &Instance, ValueToValueMapTy &Map) {
    Function *Callee = CloneFunction(Instance.F, Map);
    Callee->setLinkage(GlobalValue::InternalLinkage);
    Callee->setComdat(nullptr);
    stripDebugInfo(*Callee);
    for (auto [Block, Group] : Instance.Counters)
      if (Block)
        countIn(*cast<BasicBlock>(Map[Block]), Group);
    for (const CountedValue &Value : Instance.Values)
      tag(*cast<CallInst>(Map[Value.Call]), Instance.Counters[Value.First].second);
    return Callee;
  }

  static void countIn(BasicBlock &Block, unsigned Group) {
    IRBuilder<> Builder(&Block, Block.getFirstInsertionPt());
    FunctionCallee Count =
        Block.getModule()->getOrInsertFunction(BlockCount, Builder.getVoidTy(), Builder.getInt64Ty());
    auto *F = cast<Function>(Count.getCallee());
    F->setOnlyAccessesInaccessibleMemory();
    F->setDoesNotThrow();
    F->setWillReturn();
    tag(*Builder.CreateCall(Count, Builder.getInt64(1)), Group);
  }

  static void tag(CallInst &Call, unsigned Group) {
    Type *Word = Type::getInt32Ty(Call.getContext());
    Call.setMetadata(GroupTag,
                     MDNode::get(Call.getContext(), ConstantAsMetadata::get(ConstantInt::get(Word, Group))));
  }

  CallInst *nextCall() const {
    for (Instruction &I : instructions(Clone))
      if (auto *Call = dyn_cast<CallInst>(&I);
          Call && is_contained(Callees, Call->getCalledFunction()) && Call->getCalledFunction())
        return Call;
    return nullptr;
  }

  std::string inlineAll() {
    while (CallInst *Call = nextCall()) {
      InlineFunctionInfo Info;
      if (Clone.getInstructionCount() > LargestClone ||
          !InlineFunction(*Call, Info, /*MergeAttributes=*/false, /*CalleeAAR=*/nullptr,
                          /*InsertLifetime=*/false)
               .isSuccess())
        return "it calls functions that cannot be inlined";
    }
    return {};
  }

  // A counter is its group's number; counters of called functions are added at the places of their blocks and
  // directives.
  void mergePlan() {
    FunctionInstance &Kernel = Plan.Instances[0];
    Kernel.Calls.clear();
    for (auto N = static_cast<unsigned>(Kernel.Counters.size()); N < Plan.Groups; ++N)
      Kernel.Counters.push_back({nullptr, N});
    for (Instruction &I : instructions(Clone))
      if (const MDNode *Tag = I.getMetadata(GroupTag)) {
        const uint64_t Group = mdconst::extract<ConstantInt>(Tag->getOperand(0))->getZExtValue();
        Kernel.Values.push_back({cast<CallInst>(&I), asDirectiveCall(I)->Kind, Group, Kernel.Region});
      }
    Plan.Instances.resize(1);
  }

  KernelPlan &Plan;
  Function &Clone;
  std::vector<Function *> Callees; // by instance; of the kernel null
};

} // namespace

std::string inlineCalls(KernelPlan &Plan) {
  if (Plan.Instances.size() == 1)
    return {};
  std::vector<char> Open(Plan.Instances.size());
  if (callsItself(Plan, 0, Open))
    return "it calls a function that calls itself";
  return Inliner(Plan).run();
}

} // namespace gpuprof
