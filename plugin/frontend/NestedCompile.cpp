// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/NestedCompile.h"
#include "frontend/BuildFacts.h"
#include "frontend/ClangCompat.h"
#include "frontend/ClusterDims.h"
#include "frontend/Contraction.h"
#include "frontend/Diagnostics.h"
#include "frontend/FastMath.h"
#include "frontend/FrontEnd.h"
#include "frontend/HandedModule.h"
#include "frontend/HeaderFixes.h"
#include "frontend/Shortcuts.h"
#include "frontend/SystemFiles.h"
#include "instrument/DeviceHalf.h"

#include "clang/Basic/TargetInfo.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace gpuprof {
namespace {

thread_local const CompilerInstance *Running = nullptr;

/// Keeps the nested compile's errors for the host's diagnostics. Warnings would appear twice: the host
/// compile sees the same text and has the same ones.
class ErrorsToHost : public DiagnosticConsumer {
public:
  ErrorsToHost(CompilerInstance &Host, bool ShowRemarks) : Host(Host), ShowRemarks(ShowRemarks) {}

  void show() const {
    DiagnosticsEngine &Diags = Host.getDiagnostics();
    for (const Message &M : Kept)
      Diags.Report(M.Where, Diags.getDiagnosticIDs()->getCustomDiagID(M.Level, "%0")) << M.Text;
  }

  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    const bool IsError = Level >= DiagnosticsEngine::Error;
    const bool Belongs = IsError || (Level == DiagnosticsEngine::Note && AfterError) ||
                         (Level == DiagnosticsEngine::Remark && ShowRemarks);
    if (Level != DiagnosticsEngine::Note)
      AfterError = IsError;
    if (!Belongs)
      return;
    llvm::SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    if (IsError)
      Text += " (in the device code compiled for the CPU device)";
    Kept.push_back({idLevel(Level), toHost(Info), Text.str().str()});
  }

private:
  struct Message {
    DiagnosticIDs::Level Level;
    SourceLocation Where; // the host's
    std::string Text;
  };

  static DiagnosticIDs::Level idLevel(DiagnosticsEngine::Level Level) {
    return Level == DiagnosticsEngine::Note     ? DiagnosticIDs::Note
           : Level == DiagnosticsEngine::Remark ? DiagnosticIDs::Remark
                                                : DiagnosticIDs::Error;
  }

  /// The same place in the host's source manager; both share one file manager.
  SourceLocation toHost(const Diagnostic &Info) const {
    if (!Info.getLocation().isValid() || !Info.hasSourceManager())
      return SourceLocation();
    const SourceManager &From = Info.getSourceManager();
    const SourceLocation Where = From.getFileLoc(Info.getLocation());
    const FileEntry *File = From.getFileEntryForID(From.getFileID(Where));
    return File ? Host.getSourceManager().translateFileLineCol(File, From.getSpellingLineNumber(Where),
                                                               From.getSpellingColumnNumber(Where))
                : SourceLocation();
  }

  CompilerInstance &Host;
  bool ShowRemarks;
  bool AfterError = false;
  std::vector<Message> Kept;
};

/// Sets the driver's -mllvm options of device compiles during the nested one: both halves must be optimised
/// alike for equal counts.
class DeviceFlags {
public:
  DeviceFlags() {
    auto &All = llvm::cl::getRegisteredOptions();
    auto Found = All.find("enable-memcpyopt-without-libcalls");
    if (Found == All.end())
      return;
    Flag = static_cast<llvm::cl::opt<bool> *>(Found->second);
    Before = Flag->getValue();
    Flag->setValue(true);
  }
  DeviceFlags(const DeviceFlags &) = delete;
  DeviceFlags &operator=(const DeviceFlags &) = delete;
  ~DeviceFlags() {
    if (Flag)
      Flag->setValue(Before);
  }

private:
  llvm::cl::opt<bool> *Flag = nullptr;
  bool Before = false;
};

/// Compiles to optimised IR, with the pragmas understood.
class NestedAction : public EmitLLVMOnlyAction {
public:
  NestedAction(const Options &O, const Instantiations &OfHost) : Given(O), OfHost(OfHost) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, llvm::StringRef File) override {
    std::vector<std::unique_ptr<ASTConsumer>> Consumers;
    Consumers.push_back(createShortcutWatcher(CI, OfHost));
    Consumers.push_back(createHeaderFixer(CI, Given.Devices == Options::Device::Cpu));
    Consumers.push_back(createClusterDimsConsumer(CI, /*IsForGpu=*/false));
    Consumers.push_back(createRegionConsumer(CI, Given));
    Consumers.push_back(EmitLLVMOnlyAction::CreateASTConsumer(CI, File));
    return std::make_unique<MultiplexConsumer>(std::move(Consumers));
  }

private:
  const Options &Given;
  const Instantiations &OfHost;
};

/// A version of PTX accepted by clang for the architecture; the output is never assembled.
std::string ptxFeature(llvm::StringRef Arch) {
  unsigned Number = 0;
  Arch.consume_front("sm_");
  Arch.consumeInteger(10, Number);
  return Number >= 100 ? "+ptx88" : Arch.empty() ? "+ptx78" : "+ptx80";
}

void setTarget(CompilerInvocation &Invocation, const CompilerInstance &Host, llvm::StringRef Arch) {
  TargetOptions &Target = Invocation.getTargetOpts();
  FrontendOptions &Front = Invocation.getFrontendOpts();
  Front.AuxTriple = Target.Triple;
  Front.AuxTargetCPU = Target.CPU;
  Front.AuxTargetFeatures = Target.FeaturesAsWritten;
  Target.HostTriple = Target.Triple;
  Target.Triple =
      Host.getTarget().getPointerWidth(LangAS::Default) == 32 ? "nvptx-nvidia-cuda" : "nvptx64-nvidia-cuda";
  Target.CPU = Arch.str();
  Target.TuneCPU.clear();
  Target.ABI.clear();
  Target.FPMath.clear();
  Target.FeaturesAsWritten = {ptxFeature(Arch)};
  Target.Features.clear();
  Target.FeatureMap.clear();
}

void setFrontEnd(CompilerInvocation &Invocation, const CompilerInstance &Host) {
  FrontendOptions &Front = Invocation.getFrontendOpts();
  Front.ProgramAction = frontend::EmitLLVMOnly;
  Front.OutputFile.clear();
  Front.Plugins.clear();
  Front.AddPluginActions.clear();
  Front.ShowStats = false;
  Front.StatsFile.clear();
  Front.TimeTracePath.clear();
  Invocation.getDependencyOutputOpts() = DependencyOutputOptions();
  Invocation.getDiagnosticOpts().ShowCarets = false;    // it also counts errors at the end
  Invocation.getDiagnosticOpts().IgnoreWarnings = true; // they are not even looked for
  Invocation.getDiagnosticOpts().VerifyDiagnostics = false;
  Invocation.getDiagnosticOpts().DiagnosticLogFile.clear();
  Invocation.getDiagnosticOpts().DiagnosticSerializationFile.clear();
  // Standard input has been read: its text is in the host's source manager.
  for (FrontendInputFile &Input : Front.Inputs)
    if (Input.isFile() && Input.getFile() == "-")
      Input = FrontendInputFile(
          Host.getSourceManager().getBufferOrFake(Host.getSourceManager().getMainFileID()), Input.getKind());
}

void setLanguage(LangOptions &Lang) {
  Lang.CUDAIsDevice = true;
  Lang.ConvergentFunctions = true; // as in any device compile: convergent code is not merged
  Lang.OpenMP = 0;
  Lang.PICLevel = 0;
  Lang.PIE = false;
  Lang.ThreadsafeStatics = false;
  Lang.MathErrno = false;
  Lang.XRayInstrument = false;
  Lang.setStackProtector(LangOptions::SSPOff);
  Lang.Sanitize.clear();
  if (Lang.getDefaultFPContractMode() != LangOptions::FPM_Off)
    Lang.setDefaultFPContractMode(LangOptions::FPM_Fast);
  if (Lang.FastMath)
    compat::setApproximateFunctions(Lang);
}

void setCodeGen(CompilerInvocation &Invocation) {
  CodeGenOptions &Code = Invocation.getCodeGenOpts();
  Code.CudaGpuBinaryFileName.clear();
  Code.RelocationModel = llvm::Reloc::Static;
  Code.CXXCtorDtorAliases =
      false; // the driver asks for them on the host only: on a GPU one constructor calls the other
  Code.CodeModel = "default";
  Code.setProfileInstr(compat::noProfile());
  Code.ProfileInstrumentUsePath.clear();
  Code.CoverageMapping = false;
  Code.CoverageNotesFile.clear();
  Code.CoverageDataFile.clear();
  Code.SanitizeCoverageType = 0;
  Code.SanitizeCoverageTracePCGuard = false;
  Code.SanitizeCoverageInline8bitCounters = false;
  Code.UnwindTables = 0;
  Code.InstrumentFunctions = false;
  Code.XRayInstrumentFunctions = false;
  Code.PrepareForLTO = false;
  Code.PrepareForThinLTO = false;
  Code.OptRecordFile.clear();
  Code.SaveTempsFilePrefix.clear();
  Code.SplitDwarfFile.clear();
  Code.SplitDwarfOutput.clear();
  Code.TimePasses = false;
  compat::wantLineTables(Code); // for messages; removed again if the host has no debug information
}

/// NVIDIA's device library, beside the CUDA headers of this compile; empty without a toolkit.
std::string findDeviceLibrary(const CompilerInstance &Host) {
  for (const HeaderSearchOptions::Entry &Entry : Host.getHeaderSearchOpts().UserEntries)
    for (const char *Below :
         {"../nvvm/libdevice/libdevice.10.bc", "../../../nvvm/libdevice/libdevice.10.bc"}) {
      llvm::SmallString<128> Path(Entry.Path), Header(Entry.Path);
      llvm::sys::path::append(Header, "cuda.h");
      llvm::sys::path::append(Path, Below);
      if (Host.getVirtualFileSystem().exists(Header) && Host.getVirtualFileSystem().exists(Path))
        return Path.str().str();
    }
  return "";
}

void linkDeviceLibrary(CodeGenOptions &Code, const std::string &Path) {
  Code.LinkBitcodeFiles.clear();
  if (Path.empty())
    return;
  CodeGenOptions::BitcodeFileToLink Library;
  Library.Filename = Path;
  Library.PropagateAttrs = true;
  Library.Internalize = true;
  Library.LinkFlags = llvm::Linker::Flags::LinkOnlyNeeded;
  Code.LinkBitcodeFiles.push_back(Library);
}

void addPasses(CodeGenOptions &Code, const LangOptions &Lang, CompilerInstance &Host, const Options &O) {
  DeviceOptions Device;
  Device.Contract = contractionMode(Lang);
  Device.OnlyAnnotated = O.OnlyAnnotated;
  Device.Filter = O.Filter;
  Device.Count = *countChoice(O.Count);
  Device.Twins = O.Twins;
  // If the GPU's compile runs too, it reports the insertions.
  Device.Remarks = O.Remarks && O.Devices == Options::Device::Cpu;
  Device.Remark = [&Diags = Host.getDiagnostics()](const llvm::Function &, llvm::StringRef Text) {
    report(Diags, SourceLocation(), Diag::Inserted) << Text;
  };
  Device.Build = buildFacts([] { return Running; }, Host);
  Device.RefuseExpect = [](unsigned Location) {
    report(Running->getDiagnostics(), SourceLocation::getFromRawEncoding(Location), Diag::ExpectOnDevice);
  };
  Device.IsLibrary = systemFileTest([&Host] { return &Host; });
  Device.Requests = O.Requests;
  Device.ForCpu = true;
  Device.Unique = O.IsUniqueGiven ? *uniqueChoice(O.Unique) : UniqueChoice::Off;
  Device.Check = O.Check;
  compat::onPassBuilder(Code, [Device](llvm::PassBuilder &PB) { addDevicePasses(PB, Device); });
}

/// A precompiled header belongs to the host's target: its text is read instead.
void includeAsText(PreprocessorOptions &Preprocessor, CompilerInstance &Host) {
  if (Preprocessor.ImplicitPCHInclude.empty())
    return;
  std::string Header =
      ASTReader::getOriginalSourceFile(Preprocessor.ImplicitPCHInclude, Host.getFileManager(),
                                       Host.getPCHContainerReader(), Host.getDiagnostics());
  if (!Header.empty())
    Preprocessor.Includes.push_back(Header); // after -include: clang's own CUDA header is one
  Preprocessor.ImplicitPCHInclude.clear();
}

std::shared_ptr<CompilerInvocation> deviceInvocation(CompilerInstance &Host, const Options &O) {
  auto Invocation = std::make_shared<CompilerInvocation>(Host.getInvocation());
  setTarget(*Invocation, Host, O.Arch);
  setFrontEnd(*Invocation, Host);
  setLanguage(compat::languageOf(*Invocation));
  setCodeGen(*Invocation);
  setMath(*Invocation, O);
  linkDeviceLibrary(Invocation->getCodeGenOpts(), findDeviceLibrary(Host));
  compat::clearPassBuilders(Invocation->getCodeGenOpts());
  includeAsText(Invocation->getPreprocessorOpts(), Host);
  Invocation->getPreprocessorOpts().RetainRemappedFileBuffers = true;
  return Invocation;
}

/// Runs the compile of an invocation, and appends the module to `Bitcode`. False: there are errors, or kernels are missing
/// because of skipped bodies.
bool compile(CompilerInstance &Host, const Options &Opts, const Instantiations &OfHost,
             std::shared_ptr<CompilerInvocation> Invocation, ErrorsToHost &Errors,
             llvm::SmallVectorImpl<char> &Bitcode) {
  // Before the passes are added: up to clang 17 it would take them for the host's.
  const compat::OtherCompile Aside;
  addPasses(Invocation->getCodeGenOpts(), compat::languageOf(*Invocation), Host, Opts);
  const DeviceFlags AsOnTheDevice;
  std::unique_ptr<CompilerInstance> Nested = compat::makeNested(std::move(Invocation), Host, Errors);
  NestedAction Action(Opts, OfHost);
  Running = Nested.get();
  const bool Compiled = Nested->ExecuteAction(Action);
  Running = nullptr;
  if (!Compiled)
    return false;
  std::unique_ptr<llvm::Module> Module = Action.takeModule();
  if (!Module)
    return false;
  llvm::raw_svector_ostream Stream(Bitcode);
  llvm::WriteBitcodeToFile(*Module, Stream);
  return true;
}

/// Of the module left by the device compile. False: there is none, or it cannot be compiled.
bool compileHanded(CompilerInstance &Host, const Options &Opts, const Instantiations &OfHost,
                   llvm::SmallVectorImpl<char> &Bitcode) {
  const std::shared_ptr<CompilerInvocation> Invocation = deviceInvocation(Host, Opts);
  const std::unique_ptr<llvm::MemoryBuffer> Module = takeHandedModule(Host, *Invocation, Opts);
  if (!Module)
    return false;
  Invocation->getFrontendOpts().Inputs = {
      FrontendInputFile(Module->getMemBufferRef(), InputKind(Language::LLVM_IR))};
  Invocation->getCodeGenOpts().LinkBitcodeFiles.clear(); // is in it
  ErrorsToHost Errors(Host, /*ShowRemarks=*/false);
  return compile(Host, Opts, OfHost, Invocation, Errors, Bitcode);
}

} // namespace

bool isNestedCompile(const CompilerInstance &CI) { return &CI == Running; }

bool compileForCpuDevice(CompilerInstance &Host, const Options &Opts, const Instantiations &OfHost,
                         llvm::SmallVectorImpl<char> &Bitcode) {
  if (compileHanded(Host, Opts, OfHost, Bitcode))
    return true;
  for (const bool Short : {true, false}) {
    // If the GPU's compile runs too, it reports the insertions.
    ErrorsToHost Errors(Host, Opts.Remarks && Opts.Devices == Options::Device::Cpu);
    const std::shared_ptr<CompilerInvocation> Invocation = deviceInvocation(Host, Opts);
    if (Short)
      takeShortcuts(*Invocation, OfHost);
    const bool Compiled = compile(Host, Opts, OfHost, Invocation, Errors, Bitcode);
    // an omitted part is needed, or the program has errors: the complete compile will show it
    if (!Compiled && Short)
      continue;
    Errors.show();
    return Compiled;
  }
  return false;
}

} // namespace gpuprof
