// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/KeptHeaders.h"
#include "frontend/ClangCompat.h"
#include "frontend/FastMath.h"
#include "frontend/NvccVersion.h"
#include "frontend/OwnFolder.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>

using namespace clang;
using llvm::StringRef;

namespace gpuprof {

#if GPUPROF_LLVM_AT_LEAST(22)

namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

constexpr StringRef Header = ".pch", List = ".list", Seen = ".seen";
constexpr StringRef ListBegin = "gpuprof headers 1\n", Refused = "refused\n";
constexpr size_t MostKept = 24; // about 10 MB each
constexpr std::chrono::hours LongestSeen(30 * 24);

/* ---- Which compiles ---- */

bool isProgramOfCuda(const FrontendOptions &Front) {
  return Front.Plugins.size() == 1 && Front.Inputs.size() == 1 && Front.Inputs[0].isFile() &&
         Front.Inputs[0].getFile() != "-" && Front.Inputs[0].getKind().getLanguage() == Language::CUDA &&
         !Front.Inputs[0].getKind().isPreprocessed();
}

/// Debug information tells types of a precompiled header apart from others.
bool describesTypes(const CodeGenOptions &Code) {
  return Code.getDebugInfo() > compat::debug_kinds::DebugLineTablesOnly;
}

/// Options that show, or change, how each file is read.
bool hasOtherFiles(const CompilerInstance &CI) {
  const PreprocessorOptions &Preprocessor = CI.getPreprocessorOpts();
  const DependencyOutputOptions &Shown = CI.getDependencyOutputOpts();
  const HeaderSearchOptions &Search = CI.getHeaderSearchOpts();
  return CI.getLangOpts().Modules || !CI.getFrontendOpts().ModuleFiles.empty() ||
         !Search.VFSOverlayFiles.empty() ||
         llvm::any_of(Search.UserEntries,
                      [](const HeaderSearchOptions::Entry &E) { return E.IsFramework; }) ||
         !Preprocessor.ImplicitPCHInclude.empty() || !Preprocessor.ChainedIncludes.empty() ||
         !Preprocessor.MacroIncludes.empty() || !Preprocessor.RemappedFiles.empty() ||
         !Preprocessor.RemappedFileBuffers.empty() || !Preprocessor.UsePredefines ||
         Shown.ShowHeaderIncludes || !Shown.HeaderIncludeOutputFile.empty() || !Shown.DOTOutputFile.empty() ||
         Shown.ShowIncludesDest != ShowIncludesDestination::None;
}

/// The first headers of -include, clang's own for CUDA among them, which lie in folders of the system.
std::vector<std::string> headersBefore(CompilerInstance &CI) {
  HeaderSearch &Search = CI.getPreprocessor().getHeaderSearchInfo();
  std::vector<std::string> Names;
  for (const std::string &Name : CI.getPreprocessorOpts().Includes) {
    if (path::is_absolute(Name) ||
        CI.getVirtualFileSystem().exists(Name)) // the latter is found before all others
      break;
    const OptionalFileEntryRef File =
        Search.LookupFile(Name, SourceLocation(), /*isAngled=*/false, nullptr, nullptr, {}, nullptr, nullptr,
                          nullptr, nullptr, nullptr, nullptr);
    if (!File || !SrcMgr::isSystem(Search.getFileDirFlavor(*File)))
      break;
    Names.push_back(Name);
  }
  return Names;
}

/// The compile of the headers. All options left in it decide what they mean.
std::shared_ptr<CompilerInvocation> invocationOf(CompilerInstance &CI, std::vector<std::string> Headers) {
  auto Invocation = std::make_shared<CompilerInvocation>(CI.getInvocation());
  FrontendOptions &Front = Invocation->getFrontendOpts();
  Front.ProgramAction = frontend::GeneratePCH;
  Front.Inputs.clear();
  Front.OutputFile.clear();
  Front.Plugins.clear();
  for (auto &[Plugin, Words] : Front.PluginArgs)
    llvm::erase_if(Words, [](StringRef Word) { return !Word.starts_with("math=") && Word != "device=cpu"; });
  Front.ShowStats = false;
  Front.StatsFile.clear();
  Front.TimeTracePath.clear();
  Invocation->getDependencyOutputOpts() = DependencyOutputOptions();
  DiagnosticOptions &Messages = Invocation->getDiagnosticOpts();
  Messages.ShowCarets = false; // it also counts errors at the end
  Messages.VerifyDiagnostics = false;
  Messages.DiagnosticLogFile.clear();
  Messages.DiagnosticSerializationFile.clear();
  Invocation->getPreprocessorOpts().Includes = std::move(Headers);
  compat::languageOf(*Invocation).CUID.clear();
  CodeGenOptions &Code = Invocation->getCodeGenOpts();
  Code.MainFileName.clear();
  Code.CudaGpuBinaryFileName.clear();
  Code.DebugCompilationDir.clear();
  Code.CoverageCompilationDir.clear();
  Code.CoverageNotesFile.clear();
  Code.CoverageDataFile.clear();
  Code.SplitDwarfFile.clear();
  Code.SplitDwarfOutput.clear();
  Code.ObjectFilenameForDebug.clear();
  Code.OptRecordFile.clear();
  Code.StackUsageOutput.clear();
  Code.UniqueSourceFileIdentifier.clear();
  Code.DwarfDebugFlags.clear();
  Code.RecordCommandLine.clear();
  compat::clearPassBuilders(Code);
  return Invocation;
}

/// A file's size and the time of its last change; empty: there is none.
std::string stateOf(const std::string &File) {
  struct stat Status;
  if (stat(File.c_str(), &Status))
    return "";
  return std::to_string(Status.st_size) + " " + std::to_string(Status.st_mtim.tv_sec) + " " +
         std::to_string(Status.st_mtim.tv_nsec);
}

/// The plugin's own file: headers are kept by the plugin that reads them.
std::string stateOfPlugin() {
  Dl_info Self;
  return dladdr(reinterpret_cast<void *>(&useKeptHeaders), &Self) ? stateOf(Self.dli_fname) : "";
}

std::string nameOf(CompilerInstance &CI, const Options &O, const CompilerInvocation &Invocation) {
  std::string Facts = getClangFullVersion() + "\n" + stateOf("/proc/self/exe") + "\n" + stateOfPlugin() +
                      "\n" + nvccVersionText(CI) + fastMathText(CI, O);
  for (const std::string &Word : Invocation.getCC1CommandLine())
    Facts += Word + "\n";
  return llvm::utohexstr(llvm::xxHash64(Facts), /*LowerCase=*/true) + "-" + std::to_string(Facts.size());
}

/* ---- The folder ---- */

std::string folder() {
  using llvm::sys::Process;
  llvm::SmallString<256> Path(Process::GetEnv("XDG_CACHE_HOME").value_or(""));
  if (!path::is_absolute(Path)) {
    Path = Process::GetEnv("HOME").value_or("");
    path::append(Path, ".cache");
  }
  path::append(Path, "gpuprof", "headers");
  return path::is_absolute(Path) && !fs::create_directories(Path, true, fs::owner_all) &&
                 isOwnFolder(Path.str().str())
             ? Path.str().str()
             : "";
}

/// Removes the headers that have not been used for longest.
void removeOld(const std::string &Folder) {
  std::vector<std::pair<llvm::sys::TimePoint<>, std::string>> Kept;
  std::error_code Error;
  const auto Now = std::chrono::system_clock::now();
  for (fs::directory_iterator It(Folder, Error), End; !Error && It != End; It.increment(Error)) {
    fs::file_status Status;
    if (fs::status(It->path(), Status))
      continue;
    const StringRef Extension = path::extension(It->path());
    const StringRef Begin = StringRef(It->path()).drop_back(Extension.size());
    if (Extension == Header)
      Kept.push_back({Status.getLastModificationTime(), It->path()});
    else if (Now - Status.getLastModificationTime() > LongestSeen && !fs::exists(Begin + Header))
      fs::remove(It->path());
  }
  llvm::sort(Kept, [](const auto &A, const auto &B) { return A > B; });
  for (size_t N = MostKept; N < Kept.size(); ++N) {
    fs::remove(Kept[N].second);
    fs::remove(StringRef(Kept[N].second).drop_back(Header.size()) + List);
  }
}

/// In one step: other compiles see the whole file or none.
bool writeWhole(const std::string &Path, StringRef Text) {
  const std::string Unfinished = Path + "-" + std::to_string(getpid());
  std::error_code Error;
  llvm::raw_fd_ostream Stream(Unfinished, Error);
  if (Error)
    return false;
  Stream << Text;
  Stream.close();
  const bool Failed = Stream.has_error() || fs::rename(Unfinished, Path);
  Stream.clear_error();
  if (Failed)
    fs::remove(Unfinished);
  return !Failed;
}

/* ---- Whether headers are as they were ---- */

/// Folders searched before those of the system. A folder of -I that is one of these is not among them.
std::vector<std::string> foldersOfProgram(CompilerInstance &CI) {
  const HeaderSearch &Search = CI.getPreprocessor().getHeaderSearchInfo();
  std::vector<std::string> Folders;
  for (auto It = Search.search_dir_begin(); It != Search.system_dir_begin(); ++It)
    Folders.push_back(It->getName().str());
  return Folders;
}

std::vector<std::string> foldersOfSystem(CompilerInstance &CI) {
  const HeaderSearch &Search = CI.getPreprocessor().getHeaderSearchInfo();
  std::vector<std::string> Folders;
  for (auto It = Search.system_dir_begin(); It != Search.system_dir_end(); ++It)
    Folders.push_back(It->getName().str());
  return Folders;
}

bool isInNone(const std::vector<std::string> &Folders, StringRef Name) {
  return llvm::none_of(Folders, [&](const std::string &Folder) {
    struct stat Status;
    return !stat((Folder + "/" + Name).str().c_str(), &Status);
  });
}

/// The list has a line for each file read, `file STATE PATH`, for each name in an #include, `name NAME`, and for
/// each name found in no folder, `none NAME`. Before them is the size of the kept file, `size BYTES`.
bool isCurrent(CompilerInstance &CI, StringRef Text) {
  const std::vector<std::string> Folders = foldersOfProgram(CI), OfSystem = foldersOfSystem(CI);
  llvm::SmallVector<StringRef, 512> Lines;
  Text.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  return llvm::all_of(Lines, [&](StringRef Line) {
    if (Line.consume_front("name "))
      return isInNone(Folders, Line);
    if (Line.consume_front("none "))
      return isInNone(OfSystem, Line);
    if (!Line.consume_front("file "))
      return false;
    StringRef Path = Line;
    for (unsigned Word = 0; Word < 3; ++Word)
      Path = Path.split(' ').second;
    return StringRef(stateOf(Path.str())) == Line.drop_back(Path.size() + 1);
  });
}

/* ---- Keeping ---- */

/// Notes the files of a compile, and the names by which they were looked for.
class FilesRead : public PPCallbacks {
public:
  struct Result {
    llvm::StringSet<> Names, Missing;
    bool AreOfSystem = true;
  };

  FilesRead(Result &To, const SourceManager &Sources) : To(To), Sources(Sources) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef Name, bool, CharSourceRange,
                          OptionalFileEntryRef, StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    To.Names.insert(Name);
  }
  void HasInclude(SourceLocation, StringRef Name, bool, OptionalFileEntryRef File,
                  SrcMgr::CharacteristicKind) override {
    To.Names.insert(Name);
    if (!File)
      To.Missing.insert(Name);
  }
  void FileChanged(SourceLocation Where, FileChangeReason Reason, SrcMgr::CharacteristicKind Kind,
                   FileID) override {
    if (Reason == EnterFile && Sources.getFileEntryRefForID(Sources.getFileID(Where)))
      To.AreOfSystem &= SrcMgr::isSystem(Kind);
  }

private:
  Result &To;
  const SourceManager &Sources;
};

class KeepAction : public GeneratePCHAction {
public:
  explicit KeepAction(FilesRead::Result &Read) : Read(Read) {}

  bool BeginSourceFileAction(CompilerInstance &CI) override {
    CI.getPreprocessor().addPPCallbacks(std::make_unique<FilesRead>(Read, CI.getSourceManager()));
    return GeneratePCHAction::BeginSourceFileAction(CI);
  }

private:
  FilesRead::Result &Read;
};

std::string sizeLine(const std::string &Path) {
  uint64_t Size = 0;
  return fs::file_size(Path + Header.str(), Size) ? "" : "size " + std::to_string(Size) + "\n";
}

/// Empty if a file has changed since it was read.
std::string listOf(CompilerInstance &CI, const FilesRead::Result &Read, const SourceManager &Sources) {
  std::string Text = ListBegin.str();
  for (auto It = Sources.fileinfo_begin(); It != Sources.fileinfo_end(); ++It) {
    const std::string Path = It->first.getName().str(), State = stateOf(Path);
    const std::string AsRead =
        std::to_string(It->first.getSize()) + " " + std::to_string(It->first.getModificationTime()) + " ";
    if (!StringRef(State).starts_with(AsRead))
      return "";
    Text += "file " + State + " " + Path + "\n";
  }
  for (const auto &Name : Read.Names)
    Text += "name " + Name.first().str() + "\n";
  const std::vector<std::string> Folders = foldersOfSystem(CI);
  for (const auto &Name : Read.Missing)
    if (isInNone(Folders, Name.first())) // __has_include_next misses it behind a folder alone
      Text += "none " + Name.first().str() + "\n";
  return Text;
}

/// A program's own file among the headers, or an error: these options are not tried again.
void keep(CompilerInstance &CI, std::shared_ptr<CompilerInvocation> Invocation, const std::string &Path) {
  const std::string Unfinished = Path + "-" + std::to_string(getpid());
  const std::unique_ptr<llvm::MemoryBuffer> Nothing = llvm::MemoryBuffer::getMemBuffer("", "gpuprof-headers");
  FrontendOptions &Front = Invocation->getFrontendOpts();
  Front.Inputs = {FrontendInputFile(Nothing->getMemBufferRef(), InputKind(Language::CUDA))};
  Front.OutputFile = Unfinished;
  const compat::OtherCompile Aside;
  IgnoringDiagConsumer Silent;
  const std::unique_ptr<CompilerInstance> Nested = compat::makeNested(std::move(Invocation), CI, Silent);
  FilesRead::Result Read;
  KeepAction Action(Read);
  const std::string RefusedList = (ListBegin + Refused).str();
  const bool Made = Nested->ExecuteAction(Action) && Read.AreOfSystem;
  std::string Text = Made ? listOf(CI, Read, Nested->getSourceManager()) : RefusedList;
  if (Made && !Text.empty() && !isCurrent(CI, StringRef(Text).drop_front(ListBegin.size())))
    Text = RefusedList;          // a folder of the program has a file of the same name
  fs::remove(Path + List.str()); // the list comes last: headers without one are not used
  if (Text.empty() || Text == RefusedList || fs::rename(Unfinished, Path + Header.str()))
    fs::remove(Unfinished);
  else
    Text.insert(ListBegin.size(), sizeLine(Path)); // a power failure may leave a part
  if (!Text.empty())
    writeWhole(Path + List.str(), Text);
}

bool areKept(CompilerInstance &CI, const std::string &Path) {
  const auto Text = llvm::MemoryBuffer::getFile(Path + List.str());
  StringRef Lines = Text ? (*Text)->getBuffer() : "";
  const std::string Size = sizeLine(Path);
  return Lines.consume_front(ListBegin) && !Size.empty() && Lines.consume_front(Size) && isCurrent(CI, Lines) &&
         ASTReader::isAcceptableASTFile(Path + Header.str(), CI.getFileManager(), CI.getModuleCache(),
                                        CI.getPCHContainerReader(), CI.getLangOpts(), CI.getCodeGenOpts(),
                                        CI.getTargetOpts(), CI.getPreprocessorOpts(),
                                        CI.getHeaderSearchOpts(), "");
}

bool areRefused(const std::string &Path) {
  const auto Text = llvm::MemoryBuffer::getFile(Path + List.str());
  return Text && (*Text)->getBuffer() == (ListBegin + Refused).str();
}

/// True the second time.
bool wasSeen(const std::string &Path) {
  if (fs::exists(Path + List.str()) || !fs::remove(Path + Seen.str(), /*IgnoreNonExisting=*/false))
    return true;
  writeWhole(Path + Seen.str(), "");
  return false;
}

/// The file with the headers, made now if these options were seen before. Empty: there is none.
std::string headersFor(CompilerInstance &CI, const Options &O) {
  const std::vector<std::string> Headers = headersBefore(CI);
  const std::string Folder = Headers.empty() ? "" : folder();
  if (Folder.empty())
    return "";
  const std::shared_ptr<CompilerInvocation> Invocation = invocationOf(CI, Headers);
  const std::string Path = Folder + "/" + nameOf(CI, O, *Invocation);
  if (!areKept(CI, Path)) {
    if (areRefused(Path) || !wasSeen(Path))
      return "";
    keep(CI, Invocation, Path);
    removeOld(Folder);
    if (!areKept(CI, Path))
      return "";
  }
  utimensat(AT_FDCWD, (Path + Header.str()).c_str(), nullptr, 0); // those used last stay longest
  return Path + Header.str();
}

/// Nested compiles, and the sheet, take the options as they were given.
class OptionsAsGiven : public ASTConsumer {
public:
  explicit OptionsAsGiven(CompilerInstance &CI) : CI(CI) {}
  void Initialize(ASTContext &) override { CI.getPreprocessorOpts().ImplicitPCHInclude.clear(); }

private:
  CompilerInstance &CI;
};

} // namespace

std::unique_ptr<ASTConsumer> useKeptHeaders(CompilerInstance &CI, const Options &O) {
  if (!O.KeepHeaders || !CI.getLangOpts().CUDA || !isProgramOfCuda(CI.getFrontendOpts()) ||
      hasOtherFiles(CI) || describesTypes(CI.getCodeGenOpts()))
    return nullptr;
  const std::string File = headersFor(CI, O);
  if (File.empty())
    return nullptr;
  CI.getPreprocessorOpts().ImplicitPCHInclude = File;
  return std::make_unique<OptionsAsGiven>(CI);
}

#else

// Interfaces of older clangs differ: the headers' text is read.
std::unique_ptr<ASTConsumer> useKeptHeaders(CompilerInstance &, const Options &) { return nullptr; }

#endif

} // namespace gpuprof
