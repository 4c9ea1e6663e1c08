// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Pipeline.h"
#include "common/Compat.h"
#include "common/ModuleMetadata.h"
#include "entries/InlineBodies.h"
#include "entries/KernelEntries.h"
#include "gpuprof/abi.h"
#include "lower/AddressChecks.h"
#include "lower/ArchiveMembers.h"
#include "lower/BFloatRounding.h"
#include "lower/CloseModule.h"
#include "lower/CompileBudget.h"
#include "lower/ImplicitWarpSync.h"
#include "lower/InsertYields.h"
#include "lower/Instructions.h"
#include "lower/LongBlocks.h"
#include "lower/Managed.h"
#include "lower/Retarget.h"
#include "lower/SharedIndices.h"
#include "lower/SharedMemory.h"
#include "lower/SourceBreadcrumbs.h"
#include "memtrace/Coalescing.h"
#include "memtrace/SectorTrace.h"
#include "memtrace/SectorTraceInnerLoops.h"
#include "memtrace/SectorTraceLoops.h"
#include "module/Lowering.h"
#include "vectorize/LaneVectorizer.h"
#include "vectorize/MaximumLoops.h"
#include "vectorize/SplitRows.h"
#include "workitem/ThreadVariation.h"
#include "workitem/WorkItemLoops.h"
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

// Without optimisation variables live in memory, and a debugger shows those of the stopped thread: each
// thread stays whole. AddressSanitizer must see a thread leave its own array.
bool isOptimised(const Module &Host) {
  return none_of(Host, [](const Function &F) { return F.hasFnAttribute(Attribute::OptimizeNone); });
}

template <void (*Run)(cpu::Lowering &)> Error run(cpu::Lowering &L) {
  Run(L);
  return Error::success();
}

template <void (*Run)(Module &)> Error runOnModule(cpu::Lowering &L) {
  Run(L.M);
  return Error::success();
}

struct Stage {
  const char *Name; // of the pass: gpuprof-cpu-NAME
  Error (*Run)(cpu::Lowering &);
  bool (*IsWanted)(const cpu::Lowering &) = nullptr; // null: always
};

// README.md has the purpose of each stage and the reason for its place.
constexpr Stage Stages[] = {
    {"retarget", cpu::retarget},
    {"loop-budget", run<cpu::limitLoops>, [](const cpu::Lowering &L) { return L.HasBudget; }},
    {"shared-indices", run<cpu::wrapSharedIndices>},
    {"implicit-warp-sync", run<cpu::insertImplicitWarpSync>},
    {"shared-memory", run<cpu::lowerShared>},
    {"instructions", run<cpu::lowerInstructions>},
    {"yields", run<cpu::insertYields>},
    {"breadcrumbs", run<cpu::leaveBreadcrumbs>},
    {"address-checks", run<cpu::checkAccesses>, [](const cpu::Lowering &L) { return cpu::isSanitized(L.Host); }},
    {"coalescing", run<cpu::recordCoalescing>, [](const cpu::Lowering &L) { return L.HasCoalescing; }},
    {"sectors-of-functions", run<cpu::recordFunctions>},
    {"close-module", cpu::closeModule},
    {"work-item-loops", run<cpu::formWorkItemLoops>},
    {"sectors-of-rows", run<cpu::recordInnerLoops>},
    {"sectors-of-loops", run<cpu::recordLoops>},
    {"vectorize-lanes", run<cpu::vectorizeLanes>},
    {"split-rows", run<cpu::splitRows>},
    {"sectors-of-accesses", run<cpu::recordAccesses>},
    {"kernel-entries", run<cpu::emitKernelEntries>},
    {"archive-members", runOnModule<cpu::nameFunctionsForArchives>},
    {"bfloat-rounding", run<cpu::defineBFloatRounding>},
    {"long-blocks", runOnModule<cpu::spareLongBlocks>},
};

// Run after the verifier, before the module is linked into the host's.
constexpr Stage LastStages[] = {
    {"inline-bodies", runOnModule<cpu::inlineBodies>},
    {"optimising-budget", runOnModule<cpu::limitOptimising>, [](const cpu::Lowering &L) { return L.HasBudget; }},
};

Error runStages(cpu::Lowering &L, ArrayRef<Stage> Which) {
  for (const Stage &S : Which)
    if (!S.IsWanted || S.IsWanted(L))
      if (Error E = S.Run(L))
        return E;
  return Error::success();
}

Error verify(const Module &M) {
  std::string Problem;
  raw_string_ostream Stream(Problem);
  if (verifyModule(M, &Stream))
    return failure("the CPU device's code for '" + M.getSourceFileName() +
                   "' is not valid, please report this: " + Stream.str());
  return Error::success();
}

Error lower(cpu::Lowering &L, bool FormLoops, bool All) {
  L.FormLoops = FormLoops && isOptimised(L.Host) && !cpu::isSanitized(L.Host);
  L.HasBudget = !All;
  if (NamedMDNode *Requests = L.M.getNamedMetadata(RequestsWanted)) {
    L.HasCoalescing = true;
    L.M.eraseNamedMetadata(Requests);
  }
  if (Error E = runStages(L, Stages))
    return E;
  return verify(L.M);
}

// The host module for opt's pass: Linux on x86-64.
constexpr const char *OptHost = R"(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
)";

/// A device module and the facts shared by its stages.
struct Lowered {
  std::unique_ptr<Module> M;
  std::unique_ptr<cpu::Lowering> L;
  SmallVector<std::string> Managed;
};

Expected<Lowered> readLowered(const Module &Host, StringRef Bitcode, bool FormLoops, bool All) {
  Expected<std::unique_ptr<Module>> Device =
      parseBitcodeFile(MemoryBufferRef(Bitcode, "device code"), Host.getContext());
  if (!Device)
    return Device.takeError();
  Lowered Result{std::move(*Device), nullptr, {}};
  Result.Managed = cpu::nameManaged(*Result.M);
  Result.L = std::make_unique<cpu::Lowering>(*Result.M, Host);
  if (Error E = lower(*Result.L, FormLoops, All))
    return E;
  return Result;
}

// Loop formation is the most error-prone part of the lowering. A mistake in it must not cost the user the
// program.
Expected<Lowered> onStacks(const Module &Host, StringRef Bitcode, Error Mistake) {
  Expected<Lowered> Device = readLowered(Host, Bitcode, false, true);
  const std::string Text = "gpuprof: kernels of this file run each thread on a stack of its own, as with "
                           "-fplugin-arg-gpuprof-barriers=fibers: " +
                           toString(std::move(Mistake));
  if (Device)
    Host.getContext().diagnose(DiagnosticInfoInlineAsm(0, Text, DS_Warning));
  return Device;
}

std::unique_ptr<Module> hostForOpt(LLVMContext &C) {
  SMDiagnostic Problem;
  return parseAssemblyString(OptHost, Problem, C);
}

struct LowerPass : PassInfoMixin<LowerPass> {
  explicit LowerPass(bool FormLoops) : FormLoops(FormLoops) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    const std::unique_ptr<Module> Host = hostForOpt(M.getContext());
    cpu::Lowering L(M, *Host);
    if (Error E = lower(L, FormLoops, true))
      M.getContext().emitError(toString(std::move(E)));
    return PreservedAnalyses::none();
  }
  void printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)>) const {
    OS << (FormLoops ? "gpuprof-cpu-lower<split>" : "gpuprof-cpu-lower");
  }
  static bool isRequired() { return true; }

private:
  bool FormLoops;
};

/// The facts of a module shared by the passes of single stages.
struct LoweringAnalysis : AnalysisInfoMixin<LoweringAnalysis> {
  struct Result {
    std::unique_ptr<Module> Host;
    std::unique_ptr<cpu::Lowering> L;
    bool invalidate(Module &, const PreservedAnalyses &, ModuleAnalysisManager::Invalidator &) {
      return false; // each stage keeps them up to date
    }
  };
  Result run(Module &M, ModuleAnalysisManager &) {
    std::unique_ptr<Module> Host = hostForOpt(M.getContext());
    auto L = std::make_unique<cpu::Lowering>(M, *Host);
    L->FormLoops = true;
    return {std::move(Host), std::move(L)};
  }
  static AnalysisKey Key;
};
AnalysisKey LoweringAnalysis::Key;

struct StagePass : PassInfoMixin<StagePass> {
  explicit StagePass(const Stage &S) : S(S) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Analyses) {
    if (Error E = S.Run(*Analyses.getResult<LoweringAnalysis>(M).L))
      M.getContext().emitError(toString(std::move(E)));
    return PreservedAnalyses::none();
  }
  void printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)>) const {
    OS << "gpuprof-cpu-" << S.Name;
  }
  static bool isRequired() { return true; }

private:
  const Stage &S;
};

/// Prints the variation of values between threads at this stage.
struct VariationPrinterPass : PassInfoMixin<VariationPrinterPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Analyses) {
    cpu::printThreadVariation(*Analyses.getResult<LoweringAnalysis>(M).L, outs());
    return PreservedAnalyses::all();
  }
  void printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)>) const {
    OS << "print<gpuprof-cpu-thread-variation>";
  }
  static bool isRequired() { return true; }
};

bool addPass(StringRef Name, ModulePassManager &Passes) {
  if (Name == "print<gpuprof-cpu-thread-variation>") {
    Passes.addPass(VariationPrinterPass());
    return true;
  }
  if (!Name.consume_front("gpuprof-cpu-"))
    return false;
  const bool FormLoops = Name == "lower<split>";
  if (FormLoops || Name == "lower") {
    Passes.addPass(LowerPass(FormLoops));
    return true;
  }
  for (ArrayRef<Stage> Table : {ArrayRef<Stage>(Stages), ArrayRef<Stage>(LastStages)})
    for (const Stage &S : Table)
      if (Name == S.Name) {
        Passes.addPass(StagePass(S));
        return true;
      }
  return false;
}
} // namespace

Error linkCpuKernels(Module &Host, StringRef Bitcode, bool FormLoops, bool All) {
  Expected<Lowered> Device = readLowered(Host, Bitcode, FormLoops, All);
  if (!Device && FormLoops)
    Device = onStacks(Host, Bitcode, Device.takeError());
  if (!Device)
    return Device.takeError();
  // The device code was compiled with line tables for messages. The object has them only if the host asks for
  // debug information.
  if (!Host.getNamedMetadata("llvm.dbg.cu"))
    StripDebugInfo(*Device->M);
  Device->L->HasBudget = !All;
  if (Error E = runStages(*Device->L, LastStages))
    return E;
  Device->L.reset(); // its module goes into the host's
  if (Linker::linkModules(Host, std::move(Device->M)))
    return failure("the CPU device's code could not be linked into '" + Host.getSourceFileName() + "'");
  cpu::joinManaged(Host, Device->Managed);
  for (const char *Name : {GPUPROF_CPU_KERNEL_TABLE, GPUPROF_CPU_VARIABLE_TABLE})
    if (GlobalVariable *Table = Host.getGlobalVariable(Name)) {
      Table->setLinkage(GlobalValue::InternalLinkage);
      Table->setDSOLocal(true);
    }
  return Error::success();
}

void avoidOptimiserMistakes(PassBuilder &PB) {
  if (compat::CrashesAtMaxima)
    PB.registerVectorizerStartEPCallback(
        [](FunctionPassManager &Passes, OptimizationLevel) { Passes.addPass(cpu::MaximumLoopsPass()); });
}

void registerCpuPasses(PassBuilder &PB) {
  PB.registerAnalysisRegistrationCallback(
      [](ModuleAnalysisManager &Analyses) { Analyses.registerPass([] { return LoweringAnalysis(); }); });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &Passes, ArrayRef<PassBuilder::PipelineElement>) {
        return addPass(Name, Passes);
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &Passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "gpuprof-cpu-maximum-loops")
          return false;
        Passes.addPass(cpu::MaximumLoopsPass());
        return true;
      });
}
} // namespace gpuprof
