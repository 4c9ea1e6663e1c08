// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "directives/DirectiveLowering.h"

#include "directives/Regions.h"
#include "gpuprof/abi.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace gpuprof {
namespace {

// The directive calls during optimisation. A count's name is part of the function's name: calls for different
// names cannot be merged into one with a selected name.
struct Kind {
  DirectiveKind Value;
  StringLiteral Marker, Function;
};
constexpr Kind Kinds[] = {
    {DirectiveKind::Count, GPUPROF_MARK_COUNT, "gpuprof.value.count."},
    {DirectiveKind::Spike, GPUPROF_MARK_SPIKE, "gpuprof.value.spike"},
    {DirectiveKind::Synapse, GPUPROF_MARK_SYNAPSE, "gpuprof.value.synapse."},
    {DirectiveKind::Step, GPUPROF_MARK_STEP, "gpuprof.value.step"},
    {DirectiveKind::BeginOfSteps, "", "gpuprof.value.begin-of-steps"},
    {DirectiveKind::EndOfSteps, "", "gpuprof.value.end-of-steps"},
    {DirectiveKind::Cost, "", "gpuprof.value.cost."},
};

// gpuprof's own instructions, no work of the kernel's.
constexpr const char *OwnInstruction = "gpuprof.own";

// No memory visible to the program is read or written: loads and stores may pass. But the call has an effect:
// it is executed as often as the program says, in the order of the others.
FunctionCallee valueFunction(Module &M, const Twine &Name, Type *Result, ArrayRef<Type *> Parameters) {
  FunctionCallee Callee = M.getOrInsertFunction(Name.str(), FunctionType::get(Result, Parameters, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setOnlyAccessesInaccessibleMemory();
  F->setDoesNotThrow();
  for (Attribute::AttrKind Kind : {Attribute::WillReturn, Attribute::NoSync, Attribute::NoCallback, Attribute::NoFree})
    F->addFnAttr(Kind);
  return Callee;
}

CallInst *createValueCall(Instruction &Before, const Twine &Name, ArrayRef<Value *> Arguments,
                          Type *Result = nullptr) {
  SmallVector<Type *, 1> Types;
  for (Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  if (!Result)
    Result = Type::getVoidTy(Before.getContext());
  CallInst *Call =
      IRBuilder<>(&Before).CreateCall(valueFunction(*Before.getModule(), Name, Result, Types), Arguments);
  Call->addFnAttr(Attribute::NoMerge); // calls of two regions stay two
  return Call;
}

std::string stringOf(const Value *Pointer) {
  const auto *Variable = dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer));
  const auto *Text = Variable && Variable->hasInitializer() ? dyn_cast<ConstantDataArray>(Variable->getInitializer())
                                                            : nullptr;
  return Text && Text->isString() ? Text->getAsString().split('\0').first.str() : std::string();
}

// True if the calls have a name behind their function's name.
bool isNamed(DirectiveKind Kind) {
  return Kind == DirectiveKind::Count || Kind == DirectiveKind::Synapse || Kind == DirectiveKind::Cost;
}

constexpr StringLiteral NegativeSum = "negative";

// A call for each sum added to by the directive. The names of operation sums show if possible ones are known.
// A directive with a negative number adds only the negative number.
void lowerSynapse(CallInst &Call, StringRef Function) {
  const auto *Given = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  const uint64_t Form = Given ? Given->getZExtValue() : 0;
  const bool HasInputs = Form & GPUPROF_SYNAPSE_INPUTS;
  Value *Events = Call.getArgOperand(1), *Fanout = Call.getArgOperand(2), *Inputs = Call.getArgOperand(3);
  IRBuilder<> Builder(&Call);
  Value *Zero = Builder.getInt64(0);
  Value *IsNegative = Builder.CreateICmpSLT(Builder.CreateOr(Builder.CreateOr(Events, Fanout), Inputs), Zero);
  auto Add = [&](const Twine &Sum, Value *Amount) { createValueCall(Call, Function + Sum, {Amount}); };
  auto AddProduct = [&](const Twine &Sum, Value *Number) {
    Add(Sum, Builder.CreateSelect(IsNegative, Zero, Builder.CreateMul(Number, Fanout)));
  };
  const StringRef Operation = Form & GPUPROF_SYNAPSE_MULTIPLY ? "multiply" : "accumulate";
  AddProduct(Operation + (HasInputs ? "_of" : ""), Events);
  if (HasInputs)
    AddProduct("possible", Inputs);
  Add(NegativeSum, Builder.CreateZExt(IsNegative, Builder.getInt64Ty()));
  Call.eraseFromParent();
}

void lowerMarker(CallInst &Call, const Kind &K) {
  if (K.Value == DirectiveKind::Synapse)
    return lowerSynapse(Call, K.Function);
  std::string Name = K.Function.str();
  if (K.Value == DirectiveKind::Count)
    Name += stringOf(Call.getArgOperand(0));
  createValueCall(Call, Name, {Call.getArgOperand(K.Value == DirectiveKind::Count ? 1 : 0)});
  auto *Text = K.Value == DirectiveKind::Count ? dyn_cast<GlobalVariable>(getUnderlyingObject(Call.getArgOperand(0)))
                                           : nullptr;
  Call.eraseFromParent();
  if (!Text || !Text->hasLocalLinkage())
    return;
  Text->removeDeadConstantUsers();
  if (Text->use_empty())
    Text->eraseFromParent();
}

bool isInDirective(const Instruction &I) {
  const RegionPath Path = regionPath(I.getDebugLoc().get());
  return !Path.empty() && Path.back() == DirectiveScope;
}

// At -O0 the inlined function of a directive keeps its parameters in variables; the stores have no location.
bool isParameterOfDirective(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  const auto *Variable = Store && !Store->getDebugLoc() ? dyn_cast<AllocaInst>(Store->getPointerOperand()) : nullptr;
  return Variable && all_of(Variable->users(), [&](const User *U) {
           return U == Store || (isa<LoadInst>(U) && isInDirective(*cast<Instruction>(U)));
         });
}

bool isUsedOutside(const Instruction &I, SmallPtrSetImpl<const Instruction *> &Seen) {
  return any_of(I.users(), [&](const User *U) {
    const auto *User = dyn_cast<Instruction>(U);
    if (!User || isParameterOfDirective(*User))
      return false;
    return !isInDirective(*User) || (Seen.insert(User).second && isUsedOutside(*User, Seen));
  });
}

} // namespace

/* ---- At pipeline start -------------------------------------------------------------------------------------- */

void lowerDirectives(Module &M) {
  for (const Kind &K : Kinds) {
    Function *Marker = K.Marker.empty() ? nullptr : M.getFunction(K.Marker);
    if (!Marker)
      continue;
    for (User *U : make_early_inc_range(Marker->users()))
      if (auto *Call = dyn_cast<CallInst>(U))
        lowerMarker(*Call, K);
    if (Marker->use_empty())
      Marker->eraseFromParent();
  }
}

void addEndsOfSteps(CallInst &Enter, ArrayRef<CallInst *> Exits) {
  BasicBlock &Entry = Enter.getFunction()->getEntryBlock();
  IRBuilder<> Builder(&Entry, Entry.getFirstInsertionPt());
  Type *Long = Builder.getInt64Ty();
  AllocaInst *Before = Builder.CreateAlloca(Long);
  auto AsOwn = [](Instruction *I) {
    markOwn(*I);
    return I;
  };
  Instruction &Inside = *Enter.getNextNode();
  Value *Current = createValueCall(Inside, "gpuprof.value.begin-of-steps", {}, Long);
  AsOwn(IRBuilder<>(&Inside).CreateStore(Current, Before));
  for (CallInst *Exit : Exits)
    createValueCall(*Exit, "gpuprof.value.end-of-steps", {AsOwn(IRBuilder<>(Exit).CreateLoad(Long, Before))});
}

bool isStepMarker(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == GPUPROF_MARK_STEP;
}

/* ---- At its end --------------------------------------------------------------------------------------------- */

std::optional<DirectiveCall> asDirectiveCall(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->isDeclaration() || !Callee->getName().starts_with("gpuprof.value."))
    return std::nullopt;
  for (const Kind &K : Kinds) {
    StringRef Name = Callee->getName();
    if (Name.consume_front(K.Function) &&
        (Name.empty() || isNamed(K.Value)))
      return DirectiveCall{K.Value, Name};
  }
  return std::nullopt;
}

// A count keeps its place in the report even without counts, as do the sums of a synapse; negative numbers
// have none.
bool needsNoCounter(const CallInst &Call, const DirectiveCall &Directive) {
  if (Directive.Kind != DirectiveKind::Synapse || Directive.Name != NegativeSum)
    return false; // the end of a step has no argument
  const auto *Amount = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  return Amount && Amount->isZero();
}

ArrayRef<StringLiteral> directiveRecords(DirectiveKind Kind) {
  static constexpr StringLiteral Count[] = {"count"};
  static constexpr StringLiteral Cost[] = {"cost"};
  static constexpr StringLiteral Synapse[] = {"synapse"};
  static constexpr StringLiteral Spike[] = {"spike_positive", "spike_negative", "spike_zero"};
  switch (Kind) {
  case DirectiveKind::Count:
    return Count;
  case DirectiveKind::Spike:
    return Spike;
  case DirectiveKind::Synapse:
    return Synapse;
  case DirectiveKind::Cost:
    return Cost;
  default:
    return {};
  }
}

SmallVector<Value *, 3> directiveAmounts(IRBuilder<> &Builder, CallInst &Call, DirectiveKind Kind) {
  Value *Given = Call.getArgOperand(0);
  if (isNamed(Kind))
    return {Given};
  Value *Zero = ConstantInt::get(Given->getType(), 0);
  SmallVector<Value *, 3> Amounts;
  for (CmpInst::Predicate Is : {CmpInst::ICMP_SGT, CmpInst::ICMP_SLT, CmpInst::ICMP_EQ})
    Amounts.push_back(Builder.CreateZExt(Builder.CreateICmp(Is, Given, Zero), Builder.getInt64Ty()));
  return Amounts;
}

void createCostCall(Instruction &Before, const DebugLoc &Where, StringRef Name, Value *Amount) {
  createValueCall(Before, "gpuprof.value.cost." + Name, {Amount})->setDebugLoc(Where);
}

void eraseWithOperands(CallInst &Call) {
  SmallVector<WeakTrackingVH, 4> Operands(Call.arg_begin(), Call.arg_end());
  if (!Call.use_empty())
    Call.replaceAllUsesWith(Constant::getNullValue(Call.getType()));
  Call.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Operands);
}

void eraseDirectiveCalls(Module &M, function_ref<bool(const CallInst &)> Which) {
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || !F.getName().starts_with("gpuprof.value."))
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = cast<CallInst>(U);
      if (Which(*Call))
        eraseWithOperands(*Call);
    }
    if (F.use_empty())
      F.eraseFromParent();
  }
}

void markOwn(Instruction &I) { I.setMetadata(OwnInstruction, MDNode::get(I.getContext(), {})); }

bool isDirectiveOnly(const Instruction &I) {
  SmallPtrSet<const Instruction *, 8> Seen;
  if (isParameterOfDirective(I) || I.hasMetadata(OwnInstruction))
    return true;
  return isInDirective(I) && !isUsedOutside(I, Seen);
}

static bool maySwitchStep(const Instruction &I, SmallPtrSetImpl<const Function *> &Seen) {
  if (switchesStep(I))
    return true;
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && !Callee->isDeclaration() && Seen.insert(Callee).second &&
         any_of(instructions(*Callee), [&](const Instruction &Inner) { return maySwitchStep(Inner, Seen); });
}

bool maySwitchStep(const Instruction &I) {
  SmallPtrSet<const Function *, 8> Seen;
  return maySwitchStep(I, Seen);
}

} // namespace gpuprof
