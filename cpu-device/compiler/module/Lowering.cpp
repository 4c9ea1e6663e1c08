// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/Lowering.h"
#include "module/SourceLocations.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
struct EntryRow {
  Schedule HowItRuns;
  const char *Result, *Name, *Parameters;
};
constexpr EntryRow Entries[] = {
#define GPUPROF_CPU_ENTRY(schedule, result, name, parameters) {Schedule::schedule, #result, #name, #parameters},
#include "gpuprof/cpu_entries.inc"
};

Type *typeOf(LLVMContext &C, StringRef Spelling) {
  Spelling = Spelling.trim(" ()");
  if (Spelling.starts_with("uint32_t"))
    return Type::getInt32Ty(C);
  if (Spelling.starts_with("uint64_t"))
    return Type::getInt64Ty(C);
  if (Spelling.starts_with("ptr"))
    return PointerType::get(C, 0);
  return Type::getVoidTy(C);
}

StructType *threadType(LLVMContext &C) {
  return StructType::create(C, abi::typeOf<abi::cpu_thread>(C)->elements(), "gpuprof_cpu_thread");
}
} // namespace

Schedule scheduleOf(StringRef Entry) {
  for (const EntryRow &Row : Entries)
    if (Entry == Row.Name)
      return Row.HowItRuns;
  return Schedule::runs;
}

Lowering::Lowering(Module &M, const Module &Host) : M(M), Host(Host), ThreadType(threadType(M.getContext())) {}

FunctionCallee Lowering::entry(StringRef Name) {
  if (Function *Known = M.getFunction(Name))
    return Known;
  LLVMContext &C = M.getContext();
  for (const EntryRow &Row : Entries) {
    if (Name != Row.Name)
      continue;
    SmallVector<StringRef> Spellings;
    StringRef(Row.Parameters).split(Spellings, ',');
    SmallVector<Type *> Parameters;
    for (StringRef Spelling : Spellings)
      if (Type *T = typeOf(C, Spelling); !T->isVoidTy())
        Parameters.push_back(T);
    FunctionCallee Callee =
        M.getOrInsertFunction(Name, FunctionType::get(typeOf(C, Row.Result), Parameters, false));
    cast<Function>(Callee.getCallee())->setDoesNotThrow();
    return Callee;
  }
  llvm_unreachable("an entry that cpu_entries.inc does not list");
}

Value *Lowering::thread(Function &F) {
  Value *&Known = Threads[&F];
  if (Known)
    return Known;
  for (const Kernel &K : Kernels)
    if (K.Body == &F)
      return Known = F.getArg(0);
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  B.SetCurrentDebugLocation(
      F.getSubprogram() ? DILocation::get(M.getContext(), F.getSubprogram()->getLine(), 0, F.getSubprogram())
                        : nullptr);
  FunctionCallee Self = entry("__gpuprof_cpu_self");
  // A function stays on one thread from start to end.
  cast<Function>(Self.getCallee())->setDoesNotAccessMemory();
  return Known = B.CreateCall(Self);
}

bool Lowering::isThread(const Value *V) const {
  const Function *F = nullptr;
  if (const auto *I = dyn_cast<Instruction>(V))
    F = I->getFunction();
  else if (const auto *A = dyn_cast<Argument>(V))
    F = A->getParent();
  if (!F)
    return false;
  auto Known = Threads.find(const_cast<Function *>(F));
  return Known != Threads.end() && Known->second == V;
}

Value *Lowering::load(IRBuilder<> &B, Field Which) {
  const unsigned Index = static_cast<unsigned>(Which);
  Value *State = thread(*B.GetInsertBlock()->getParent());
  return B.CreateLoad(ThreadType->getElementType(Index), B.CreateStructGEP(ThreadType, State, Index));
}

Constant *Lowering::text(StringRef Text) {
  Constant *&Known = Texts[Text];
  if (!Known) {
    Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text);
    auto *Variable =
        new GlobalVariable(M, Bytes->getType(), true, GlobalValue::PrivateLinkage, Bytes, "gpuprof.text");
    Variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    Known = Variable;
  }
  return Known;
}

void Lowering::unsupported(Instruction &I, const Twine &What) {
  std::string Name = What.str();
  for (char &C : Name)
    if (!isPrint(C))
      C = ' ';
  const DebugLoc &Where = I.getDebugLoc();
  const std::string File = Where ? fileOf(*Where) : M.getSourceFileName();
  IRBuilder<> B(&I);
  B.CreateCall(entry("__gpuprof_cpu_unsupported"),
               {text(Name), text(File), B.getInt32(Where ? Where.getLine() : 0)});
  if (Warned.insert(Name).second) {
    std::string Message = "the CPU device cannot run " + Name + ": a launch that reaches it will fail";
    M.getContext().diagnose(DiagnosticInfoUnsupported(*I.getFunction(), Message, Where, DS_Warning));
  }
}

bool Lowering::asksForSelf(Function &Body) const {
  for (Function *F : reachable(Body))
    for (Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (Function *Callee = Call->getCalledFunction(); Callee && Callee->getName() == "__gpuprof_cpu_self")
          return true;
  return false;
}

bool Lowering::asksForState(Function &Body) const {
  for (Instruction &I : instructions(Body))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && is_contained(Call->args(), Body.getArg(0)))
      return true;
  return asksForSelf(Body);
}

SmallPtrSet<Function *, 16> Lowering::reachable(Function &From) const {
  SmallPtrSet<Function *, 16> Seen;
  SmallVector<Function *> Work{&From};
  auto Reach = [&](Function *F) {
    if (!F->isDeclaration() && Seen.insert(F).second)
      Work.push_back(F);
  };
  Seen.insert(&From);
  while (!Work.empty()) {
    Function *F = Work.pop_back_val();
    for (Instruction &I : instructions(*F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call->isInlineAsm())
        continue;
      if (Function *Callee = Call->getCalledFunction())
        Reach(Callee);
      else // any function with its address taken
        for (Function &Candidate : M)
          if (Candidate.hasAddressTaken())
            Reach(&Candidate);
    }
  }
  return Seen;
}
} // namespace gpuprof::cpu
