// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX in a kernel: counted, cloned and lowered to the CPU device. Whatever the text, the module stays valid and
// nothing but diagnostics comes of it.
#include "Pipeline.h"
#include "common/Compat.h"
#include "instrument/DeviceHalf.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>
#include <random>

using namespace llvm;

namespace {

// $0 to $4 are results, $5 to $12 operands: of each kind of register, an address and an immediate.
const char Frame[] = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [64 x i32] poison, align 16
declare void @opaque()
define ptx_kernel void @kernel(ptr addrspace(1) %p, i32 %r, i64 %l, float %f, double %d, i16 %h) {
entry:
  %global = addrspacecast ptr addrspace(1) %p to ptr
  %shared = ptrtoint ptr addrspace(3) @shared to i32
  call void @opaque()
  ret void
}
)";
const char Constraints[] = "=r,=l,=f,=d,=h,r,l,f,d,h,l,r,n,~{memory}";

[[noreturn]] void fail(StringRef What, const Module &M) {
  errs() << "error: " << What << "\n" << M;
  abort();
}

// Words of PTX put anywhere by the seeds: types, spaces and modifiers.
const char *const Words[] = {"b8",  "b16", "b32", "b64", "b128", "s8",   "s16",    "s32",     "s64",  "u8",  "u16",   "u32",  "u64",  "f16", "f16x2",
                             "f32", "f64", "bf16", "bf16x2", "tf32", "e4m3x2", "s16x2", "pred", "v2", "v4", "v8", "global", "shared", "local", "cc", "sat",
                             "relu", "wide", "hi", "lo", "rn", "rz", "rzi", "ftz", "sync", "aligned", "cluster", "cta", "async", "bulk", "add", "min",
                             "and", "xorsign", "abs", "NaN", "volatile", "{$0,$5}", "{$5,$6,$7,$8}", "[$10]", "[$11]", "$0", "$1", "$2", "$3", "$4", "$5",
                             "$6", "$7", "$8", "$9", "$0|$1", "!$5", "@$5", "_", ",", ";", ".", "0x7fffffff", "64", "0f3f800000", "%laneid", "%tid.x"};

bool isWord(char C) { return isAlnum(C) || C == '_' || C == '$' || C == '%'; }

SmallVector<std::string> split(StringRef Text) {
  SmallVector<std::string> Pieces;
  while (!Text.empty()) {
    const size_t Length = std::max<size_t>(1, Text.take_while(isWord).size());
    Pieces.push_back(Text.take_front(Length).str());
    Text = Text.drop_front(Length);
  }
  return Pieces;
}

// The plugin's own word for a mistake of its own.
struct Handler : DiagnosticHandler {
  const Module *M = nullptr;
  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    std::string Text;
    raw_string_ostream Stream(Text);
    DiagnosticPrinterRawOStream Printer(Stream);
    Info.print(Printer);
    if (StringRef(Text).starts_with("the CPU device's code for"))
      fail(Text, *M);
    return true;
  }
};

void replaceCall(Module &M, StringRef Text) {
  Function *F = M.getFunction("kernel");
  Function *Opaque = M.getFunction("opaque");
  auto *Call = cast<CallInst>(*Opaque->user_begin());
  IRBuilder<> B(Call);
  llvm::Type *Results[] = {B.getInt32Ty(), B.getInt64Ty(), B.getFloatTy(), B.getDoubleTy(), B.getInt16Ty()};
  Instruction *Global = &F->getEntryBlock().front(), *Shared = Global->getNextNode();
  Value *Operands[] = {F->getArg(1), F->getArg(2), F->getArg(3), F->getArg(4), F->getArg(5), Global, Shared, B.getInt32(16)};
  llvm::Type *Types[] = {B.getInt32Ty(), B.getInt64Ty(), B.getFloatTy(), B.getDoubleTy(),
                   B.getInt16Ty(), B.getPtrTy(),   B.getInt32Ty(), B.getInt32Ty()};
  auto *Of = FunctionType::get(StructType::get(M.getContext(), ArrayRef<llvm::Type *>(Results)), ArrayRef<llvm::Type *>(Types), false);
  Value *Result = B.CreateCall(Of, InlineAsm::get(Of, Text, Constraints, /*hasSideEffects=*/true), Operands);
  for (unsigned I = 0; I < std::size(Results); ++I)
    B.CreateStore(B.CreateExtractValue(Result, I), B.CreateConstGEP1_32(B.getInt64Ty(), F->getArg(0), I));
  Call->eraseFromParent();
  Opaque->eraseFromParent();
}

void run(StringRef Text, const char *Passes) {
  LLVMContext Context;
  auto Owned = std::make_unique<Handler>();
  Handler *Said = Owned.get();
  Context.setDiagnosticHandler(std::move(Owned));
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseAssemblyString(Frame, Problem, Context);
  Said->M = M.get();
  replaceCall(*M, Text);
  PassBuilder PB;
  gpuprof::registerDevicePasses(PB);
  gpuprof::registerCpuPasses(PB);
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager MPM;
  if (Error E = PB.parsePassPipeline(MPM, Passes))
    fail(toString(std::move(E)), *M);
  MPM.run(*M, MAM);
  std::string Wrong;
  raw_string_ostream Stream(Wrong);
  if (verifyModule(*M, &Stream))
    fail(Wrong, *M);
}

} // namespace

// The compiler's libraries are not instrumented, and free their memory at the end of the process.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0:detect_leaks=0"; }

extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t MaxSize);

// Whole words are moved, doubled, left out and replaced, or else bytes and words of the dictionary.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size, size_t MaxSize, unsigned Seed) {
  std::minstd_rand Chance(Seed);
  SmallVector<std::string> Pieces = split({reinterpret_cast<const char *>(Data), Size});
  if (Pieces.empty() || Chance() % 4 == 0)
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  for (unsigned I = 0, Changes = 1 + Chance() % 3; I < Changes && !Pieces.empty(); ++I) {
    const size_t At = Chance() % Pieces.size(), From = Chance() % Pieces.size();
    switch (Chance() % 5) {
    case 0: Pieces.erase(Pieces.begin() + At); break;
    case 1: Pieces.insert(Pieces.begin() + At, std::string(Pieces[From])); break;
    case 2: std::swap(Pieces[At], Pieces[From]); break;
    case 3: Pieces.insert(Pieces.begin() + At, Words[Chance() % std::size(Words)]); break;
    default: Pieces[At] = Words[Chance() % std::size(Words)];
    }
  }
  const std::string Text = join(Pieces, "");
  const size_t Length = std::min(Text.size(), MaxSize);
  memcpy(Data, Text.data(), Length);
  return Length;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const StringRef Text(reinterpret_cast<const char *>(Data), Size);
  run(Text, "gpuprof-regions,gpuprof-count<count=clone;unique;check>");
  run(Text, "gpuprof-regions,gpuprof-count<cpu;count=inkernel>,gpuprof-cpu-lower<split>");
  run(Text, "gpuprof-regions,gpuprof-count<cpu;count=inkernel>,gpuprof-cpu-lower");
  return 0;
}
