// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "directives/CountedStatements.h"

#include "common/Compat.h"
#include "directives/DirectiveLowering.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprof {
namespace {

/* ---- Constraints ---- */

unsigned outputsOf(const InlineAsm &Asm) {
  return static_cast<unsigned>(count_if(Asm.ParseConstraints(), [](const InlineAsm::ConstraintInfo &Info) {
    return Info.Type == InlineAsm::isOutput;
  }));
}

// "=r,r,l" with another output: "=r,=&r,r,l". It is written before inputs are read for the last time.
std::string withOutputs(StringRef Constraints, unsigned Outputs, size_t Added) {
  SmallVector<StringRef, 16> Parts;
  if (!Constraints.empty())
    Constraints.split(Parts, ',');
  Parts.insert(Parts.begin() + Outputs, Added, "=&r");
  return join(Parts, ",");
}

/* ---- Text ---- */

// Operands from number First on get higher numbers: "$3" and "${3:c}", but neither "$$3" nor "${:uid}".
std::string renumbered(StringRef Text, unsigned First, size_t Added) {
  std::string Out;
  while (!Text.empty()) {
    const size_t Sign = std::min(Text.find('$'), Text.size());
    Out += Text.take_front(Sign);
    Text = Text.drop_front(Sign);
    size_t Length = std::min<size_t>(Text.starts_with("$$") || Text.starts_with("${") ? 2 : 1, Text.size());
    Out += Text.take_front(Length);
    const bool IsEscape = Text.starts_with("$$");
    Text = Text.drop_front(Length);
    const StringRef Digits = IsEscape ? StringRef() : Text.take_while(isDigit);
    uint64_t Number = 0;
    if (Digits.getAsInteger(10, Number))
      continue;
    Out += std::to_string(Number < First ? Number : Number + Added);
    Text = Text.drop_front(Digits.size());
  }
  return Out;
}

// "@!p " of the instruction at the beginning of the text; empty without a predicate.
// A comment may follow its name directly.
std::string predicateOf(StringRef Text) {
  if (!Text.starts_with("@"))
    return {};
  return Text.take_until([](char C) { return isSpace(C) || C == '/'; }).str() + " ";
}

std::string withCounters(StringRef Text, const ptx::Program &Program, ArrayRef<size_t> Counted, unsigned Outputs) {
  std::string Out;
  for (size_t N = 0; N < Counted.size(); ++N)
    Out += "mov.u32 $" + std::to_string(Outputs + N) + ", 0; ";
  size_t Done = 0;
  for (auto [N, Index] : enumerate(Counted)) {
    const size_t Begin = Program.Instructions[Index].Begin;
    const std::string Counter = "$" + std::to_string(Outputs + N);
    Out += renumbered(Text.slice(Done, Begin), Outputs, Counted.size());
    Out += renumbered(predicateOf(Text.substr(Begin)), Outputs, Counted.size());
    Out += "add.u32 " + Counter + ", " + Counter + ", 1; ";
    Done = Begin;
  }
  return Out + renumbered(Text.substr(Done), Outputs, Counted.size());
}

/* ---- Results ---- */

// The types of the results; an inline assembly returns one, or a structure of several.
SmallVector<Type *, 8> resultTypes(const CallInst &Call) {
  if (Call.getType()->isVoidTy())
    return {};
  if (const auto *Several = dyn_cast<StructType>(Call.getType()))
    return {Several->element_begin(), Several->element_end()};
  return {Call.getType()};
}

Type *typeOf(LLVMContext &Context, ArrayRef<Type *> Results) {
  if (Results.empty())
    return Type::getVoidTy(Context);
  return Results.size() == 1 ? Results[0] : StructType::get(Context, Results);
}

// In front of a statement, another one with its operands.
CallInst &createStatement(CallInst &Call, const std::string &Text, const std::string &Constraints,
                          ArrayRef<Type *> Results) {
  const auto &Asm = *cast<InlineAsm>(Call.getCalledOperand());
  auto *Function = FunctionType::get(typeOf(Call.getContext(), Results), Asm.getFunctionType()->params(), false);
  CallInst *New = IRBuilder<>(&Call).CreateCall(InlineAsm::get(Function, Text, Constraints, Asm.hasSideEffects(),
                                                               Asm.isAlignStack(), Asm.getDialect(), Asm.canThrow()),
                                                SmallVector<Value *, 8>(Call.args()));
  New->setCallingConv(Call.getCallingConv());
  const AttributeList Attributes = Call.getAttributes();
  New->setAttributes(Attributes.removeAttributesAtIndex(Call.getContext(), AttributeList::ReturnIndex));
  New->copyMetadata(Call);
  New->setDebugLoc(Call.getDebugLoc());
  return *New;
}

class Replacement {
public:
  Replacement(CallInst &Call, size_t Added) : Call(Call), B(&Call), Own(resultTypes(Call).size()), Added(Added) {}

  CallInst &create(const std::string &Text, const std::string &Constraints) {
    SmallVector<Type *, 8> Types = resultTypes(Call);
    Types.append(Added, B.getInt32Ty());
    New = &createStatement(Call, Text, Constraints, Types);
    return *New;
  }

  std::vector<Value *> counts() {
    std::vector<Value *> Counts;
    for (size_t N = 0; N < Added; ++N)
      Counts.push_back(result(Own + N));
    return Counts;
  }

  // The former results, as one value like before.
  void replaceResults() {
    if (!Own || Call.use_empty())
      return;
    if (!Call.getType()->isStructTy())
      return Call.replaceAllUsesWith(result(0));
    Value *Whole = PoisonValue::get(Call.getType());
    for (unsigned N = 0; N < Own; ++N) {
      Whole = B.CreateInsertValue(Whole, result(N), N);
      own(Whole);
    }
    Call.replaceAllUsesWith(Whole);
  }

private:
  Value *result(size_t N) {
    if (!New->getType()->isStructTy())
      return New;
    return own(B.CreateExtractValue(New, static_cast<unsigned>(N)));
  }

  static Value *own(Value *V) {
    if (auto *I = dyn_cast<Instruction>(V))
      markOwn(*I);
    return V;
  }

  CallInst &Call, *New = nullptr;
  IRBuilder<> B;
  size_t Own, Added;
};

/* ---- The statement without counters ---- */

// Of a statement with counters: the former text, constraints and number of results.
constexpr StringLiteral FormerTag = "gpuprof.former";

void keepFormer(CallInst &New, const InlineAsm &Former, size_t Results) {
  LLVMContext &Context = New.getContext();
  Metadata *Number = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), Results));
  New.setMetadata(FormerTag, MDNode::get(Context, {MDString::get(Context, compat::asmText(Former)),
                                                   MDString::get(Context, compat::asmConstraints(Former)), Number}));
}

bool isCounterUsed(const CallInst &Call, size_t Own) {
  if (!Call.getType()->isStructTy())
    return !Call.use_empty();
  return any_of(Call.users(), [&](const User *U) {
    const auto *Part = dyn_cast<ExtractValueInst>(U);
    return !Part || (Part->getIndices()[0] >= Own && !Part->use_empty());
  });
}

// A structure put together from all parts of the statement becomes the statement itself.
void replaceParts(ArrayRef<ExtractValueInst *> Parts, CallInst &New) {
  SmallVector<Instruction *, 8> NewParts;
  for (ExtractValueInst *Part : Parts) {
    NewParts.push_back(cast<Instruction>(IRBuilder<>(Part).CreateExtractValue(&New, Part->getIndices())));
    replaceAndRecursivelySimplify(Part, NewParts.back());
  }
  for (Instruction *Part : NewParts)
    if (Part->use_empty())
      Part->eraseFromParent();
}

void restore(CallInst &Call, const MDNode &Former) {
  const size_t Own = mdconst::extract<ConstantInt>(Former.getOperand(2))->getZExtValue();
  if (isCounterUsed(Call, Own))
    return;
  CallInst &New = createStatement(Call, cast<MDString>(Former.getOperand(0))->getString().str(),
                                  cast<MDString>(Former.getOperand(1))->getString().str(),
                                  ArrayRef<Type *>(resultTypes(Call)).take_front(Own));
  New.setMetadata(FormerTag, nullptr);
  SmallVector<ExtractValueInst *, 8> Parts;
  for (User *U : make_early_inc_range(Call.users()))
    if (auto *Part = cast<ExtractValueInst>(U); Part->getIndices()[0] < Own)
      Parts.push_back(Part);
    else
      Part->eraseFromParent();
  if (Own > 1)
    replaceParts(Parts, New);
  else
    for (ExtractValueInst *Part : Parts) { // its only result
      Part->replaceAllUsesWith(&New);
      Part->eraseFromParent();
    }
  Call.eraseFromParent();
}

} // namespace

bool reachesEnd(const ptx::Program &Program) {
  static constexpr StringLiteral Others[] = {"exit", "ret", "trap", "brx", "call"};
  return none_of(Program.Instructions, [](const ptx::Instruction &I) { return is_contained(Others, I.Opcode[0]); });
}

CountedStatement countInStatement(CallInst &Call, const ptx::Program &Program, ArrayRef<size_t> Counted) {
  const auto &Asm = *cast<InlineAsm>(Call.getCalledOperand());
  const unsigned Outputs = outputsOf(Asm);
  Replacement To(Call, Counted.size());
  CountedStatement Result;
  Result.Call = &To.create(withCounters(compat::asmText(Asm), Program, Counted, Outputs),
                           withOutputs(compat::asmConstraints(Asm), Outputs, Counted.size()));
  keepFormer(*Result.Call, Asm, resultTypes(Call).size());
  Result.Counts = To.counts();
  To.replaceResults();
  Call.eraseFromParent();
  Result.Former.assign(Counted.size(), CountedStatement::NotThere); // counters begin at 0
  for (size_t N = 0; N < Program.Instructions.size(); ++N) {
    if (is_contained(Counted, N))
      Result.Former.push_back(CountedStatement::NotThere);
    Result.Former.push_back(N);
  }
  return Result;
}

void restoreUncountedStatements(Module &M) {
  SmallVector<CallInst *, 16> Statements;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (I.hasMetadata(FormerTag))
        Statements.push_back(cast<CallInst>(&I));
  for (CallInst *Call : Statements)
    restore(*Call, *Call->getMetadata(FormerTag));
}

} // namespace gpuprof
