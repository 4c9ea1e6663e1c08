// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Action.h"
#include "frontend/BuildFacts.h"
#include "frontend/ClangCompat.h"
#include "frontend/ClusterDims.h"
#include "frontend/Contraction.h"
#include "frontend/Diagnostics.h"
#include "frontend/FrontEnd.h"
#include "frontend/HandedModule.h"
#include "frontend/HeaderFixes.h"
#include "frontend/HostCompile.h"
#include "frontend/KeptHeaders.h"
#include "frontend/LaunchSizes.h"
#include "frontend/NestedCompile.h"
#include "frontend/SystemFiles.h"
#include "frontend/ToolkitHeaders.h"
#include "instrument/DeviceHalf.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace clang;

namespace gpuprof {
namespace {

bool generatesCode(const CompilerInstance &CI) {
  switch (CI.getFrontendOpts().ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
    return true;
  default:
    return false;
  }
}

/// Up to LLVM 19, clang's newer offload driver names no compilation units. When device code is linked, a
/// static variable is then named after its declaring file. gpuprof's own is in none; clang calls this an
/// error. The main file and the macros of the command line distinguish units, and are the same on host and
/// device.
void nameUnit(CompilerInstance &CI) {
  LangOptions &Lang = CI.getLangOpts();
  if (!Lang.CUDA || !Lang.GPURelocatableDeviceCode || !Lang.CUID.empty())
    return;
  llvm::SmallString<256> File(CI.getFrontendOpts().Inputs.front().getFile());
  CI.getFileManager().makeAbsolutePath(File);
  std::string Facts = File.str().str();
  for (const auto &[Macro, Undefined] : CI.getPreprocessorOpts().Macros)
    if (!llvm::StringRef(Macro).starts_with("__")) // the compiler's own, different on the two sides
      Facts += (Undefined ? " -U" : " -D") + Macro;
  Lang.CUID = llvm::utohexstr(llvm::xxHash64(Facts), /*LowerCase=*/true);
}

/// Reports the reason, if this compile cannot be instrumented.
bool canInstrument(CompilerInstance &CI) {
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  if (CI.getCodeGenOpts().DisableLLVMPasses)
    report(Diags, SourceLocation(), Diag::NoPasses);
  else
    return true;
  return false;
}

void addDeviceHalf(CompilerInstance &CI, const Options &O, std::shared_ptr<LargestBlocks> Blocks) {
  DeviceOptions Device;
  Device.OnlyAnnotated = O.OnlyAnnotated;
  Device.Unique = *uniqueChoice(O.Unique);
  Device.Check = O.Check;
  Device.Count = *countChoice(O.Count);
  Device.Twins = O.Twins;
  Device.Filter = O.Filter;
  Device.Remarks = O.Remarks;
  Device.Contract = contractionMode(CI.getLangOpts());
  Device.Remark = [&Diags = CI.getDiagnostics()](const llvm::Function &, llvm::StringRef Text) {
    report(Diags, SourceLocation(), Diag::Inserted) << Text;
  };
  Device.Build = buildFacts([&CI] { return &CI; }, CI);
  Device.RefuseExpect = [&Diags = CI.getDiagnostics()](unsigned Location) {
    report(Diags, SourceLocation::getFromRawEncoding(Location), Diag::ExpectOnDevice);
  };
  Device.IsLibrary = systemFileTest([&CI] { return &CI; });
  Device.PlaceOfAsm = [&Sources =
                           CI.getSourceManager()](unsigned Location) -> std::pair<std::string, unsigned> {
    const PresumedLoc Place = Sources.getPresumedLoc(SourceLocation::getFromRawEncoding(Location));
    if (Place.isInvalid())
      return {};
    return {Place.getFilename(), Place.getLine()};
  };
  Device.LargestBlockOf = [Blocks = std::move(Blocks)](llvm::StringRef Kernel) { return Blocks->lookup(Kernel); };
  compat::onPassBuilder(CI.getCodeGenOpts(),
                        [Device](llvm::PassBuilder &PB) { addDevicePasses(PB, Device); });
}

} // namespace

bool Action::ParseArgs(const CompilerInstance &CI, const std::vector<std::string> &Words) {
  if (isNestedCompile(CI)) // has its own action
    return false;
  llvm::Expected<Options> Parsed = parseOptions(Words);
  if (!Parsed) {
    report(CI.getDiagnostics(), SourceLocation(), Diag::BadOption) << llvm::toString(Parsed.takeError());
    return false;
  }
  Given = *Parsed;
  // Once, not in each device compile.
  if (Given.Help && !CI.getLangOpts().CUDAIsDevice)
    llvm::outs() << optionsHelp();
  return true;
}

std::unique_ptr<ASTConsumer> Action::CreateASTConsumer(CompilerInstance &CI, llvm::StringRef) {
  // Without an installed toolkit clang knows no version, and would launch kernels in CUDA 9.1's way. 11.0:
  // known to every clang.
  if (CI.getLangOpts().CUDA && CI.getTarget().getSDKVersion().empty())
    CI.getTarget().getTargetOpts().SDKVersion = llvm::VersionTuple(11, 0);
  nameUnit(CI);
  explainToolkitHeaders(CI);
  std::vector<std::unique_ptr<ASTConsumer>> Consumers;
  if (generatesCode(CI))
    if (std::unique_ptr<ASTConsumer> Kept = useKeptHeaders(CI, Given))
      Consumers.push_back(std::move(Kept));
  Consumers.push_back(createHeaderFixer(CI, Given.Devices == Options::Device::Cpu));
  Consumers.push_back(createClusterDimsConsumer(CI, CI.getLangOpts().CUDAIsDevice));
  Consumers.push_back(createRegionConsumer(CI, Given));
  if (generatesCode(CI) && canInstrument(CI)) {
    if (CI.getLangOpts().CUDAIsDevice) {
      handModuleToHost(CI, Given);
      auto Blocks = std::make_shared<LargestBlocks>();
      Consumers.push_back(createLaunchSizesConsumer(CI, Blocks));
      addDeviceHalf(CI, Given, std::move(Blocks));
    } else
      Consumers.push_back(createHostConsumer(CI, Given));
  }
  return std::make_unique<MultiplexConsumer>(std::move(Consumers));
}

} // namespace gpuprof
