#include "Pipeline.h"
#include "common/ModuleMetadata.h"
#include "gpuprof/abi.h"
#include "lower/ArchiveMembers.h"
#include "lower/LongBlocks.h"
#include "lower/Lowering.h"
#include "lower/Managed.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprof {
namespace {
Error failure(const Twine &Text) { return createStringError(inconvertibleErrorCode(), Text); }

// Without optimisation variables live in memory, which a debugger shows of the thread at which it stopped:
// there each thread stays whole. AddressSanitizer is to see where a thread leaves its own array.
bool isOptimised(const Module &Host) {
  return none_of(Host, [](const Function &F) { return F.hasFnAttribute(Attribute::OptimizeNone); });
}

Error lower(Module &M, const Module &Host, bool MaySplit, bool All) {
  cpu::Lowering L(M);
  L.MaySplit = MaySplit && isOptimised(Host) && !cpu::isSanitized(Host);
  NamedMDNode *Requests = M.getNamedMetadata(RequestsWanted);
  const bool WithRequests = Requests != nullptr;
  if (Requests)
    M.eraseNamedMetadata(Requests);
  if (Error E = cpu::retarget(L, Host))
    return E;
  if (!All)
    cpu::limitSplitting(L);
  cpu::wrapSharedIndices(L);
  cpu::keepLanesInStep(L);
  cpu::lowerShared(L);
  cpu::lowerInstructions(L);
  cpu::insertYields(L);
  cpu::tellPlaces(L);
  if (cpu::isSanitized(Host))
    cpu::checkAccesses(L);
  if (WithRequests)
    cpu::tellRequests(L);
  cpu::markSectors(L);
  if (Error E = cpu::closeModule(L))
    return E;
  cpu::emitTables(L);
  cpu::nameFunctionsForArchives(M);
  cpu::defineBFloatRounding(L);
  cpu::spareLongBlocks(M);
  std::string Problem;
  raw_string_ostream Stream(Problem);
  if (verifyModule(M, &Stream))
    return failure("the CPU device's code for '" + M.getSourceFileName() +
                   "' is not valid, please report this: " + Stream.str());
  return Error::success();
}

// The module that opt's pass lowers for: Linux on x86-64.
constexpr const char *OptHost = R"(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
)";

Expected<std::unique_ptr<Module>> readLowered(const Module &Host, StringRef Bitcode, bool MaySplit, bool All,
                                              SmallVector<std::string> &Managed) {
  Expected<std::unique_ptr<Module>> Device =
      parseBitcodeFile(MemoryBufferRef(Bitcode, "device code"), Host.getContext());
  if (!Device)
    return Device;
  Managed = cpu::nameManaged(**Device);
  if (Error E = lower(**Device, Host, MaySplit, All))
    return E;
  return Device;
}

// Loops over threads are the part of the lowering that has most to go wrong: a program must not be lost to a
// mistake there.
Expected<std::unique_ptr<Module>> onStacks(const Module &Host, StringRef Bitcode, Error Mistake,
                                           SmallVector<std::string> &Managed) {
  Expected<std::unique_ptr<Module>> Device = readLowered(Host, Bitcode, false, true, Managed);
  const std::string Text = "gpuprof: kernels of this file run each thread on a stack of its own, as with "
                           "-fplugin-arg-gpuprof-barriers=fibers: " +
                           toString(std::move(Mistake));
  if (Device)
    Host.getContext().diagnose(DiagnosticInfoInlineAsm(0, Text, DS_Warning));
  return Device;
}

struct LowerPass : PassInfoMixin<LowerPass> {
  explicit LowerPass(bool MaySplit) : MaySplit(MaySplit) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    SMDiagnostic Problem;
    std::unique_ptr<Module> Host = parseAssemblyString(OptHost, Problem, M.getContext());
    if (Error E = lower(M, *Host, MaySplit, true))
      M.getContext().emitError(toString(std::move(E)));
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  bool MaySplit;
};
} // namespace

Error linkCpuKernels(Module &Host, StringRef Bitcode, bool MaySplit, bool All) {
  SmallVector<std::string> Managed;
  Expected<std::unique_ptr<Module>> Device = readLowered(Host, Bitcode, MaySplit, All, Managed);
  if (!Device && MaySplit)
    Device = onStacks(Host, Bitcode, Device.takeError(), Managed);
  if (!Device)
    return Device.takeError();
  // The device code was compiled with line tables for messages; the object has them only where the host asks.
  if (!Host.getNamedMetadata("llvm.dbg.cu"))
    StripDebugInfo(**Device);
  cpu::inlineBodies(**Device);
  if (!All)
    cpu::limitOptimising(**Device);
  if (Linker::linkModules(Host, std::move(*Device)))
    return failure("the CPU device's code could not be linked into '" + Host.getSourceFileName() + "'");
  cpu::joinManaged(Host, Managed);
  for (const char *Name : {GPUPROF_CPU_KERNEL_TABLE, GPUPROF_CPU_VARIABLE_TABLE})
    if (GlobalVariable *Table = Host.getGlobalVariable(Name)) {
      Table->setLinkage(GlobalValue::InternalLinkage);
      Table->setDSOLocal(true);
    }
  return Error::success();
}

void registerCpuPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        const bool MaySplit = Name.consume_back("<split>");
        if (Name != "gpuprof-cpu-lower")
          return false;
        MPM.addPass(LowerPass(MaySplit));
        return true;
      });
}
} // namespace gpuprof
