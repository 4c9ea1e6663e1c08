// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/HandedModule.h"
#include "frontend/ClangCompat.h"
#include "frontend/OwnFolder.h"

#include "common/Options.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace clang;

namespace gpuprof {
namespace {

using Text = llvm::SmallString<256>;

/* ---- The driver ---- */

std::string fileOf(pid_t Process, llvm::StringRef Name) {
  auto Read = llvm::MemoryBuffer::getFileAsStream("/proc/" + std::to_string(Process) + "/" + Name.str());
  return Read ? (*Read)->getBuffer().str() : "";
}

/// The time of a process's start, in ticks: with its number it names no other process. Empty: there is none.
std::string startOf(pid_t Process) {
  constexpr size_t Fields = 20; // of /proc/PID/stat behind the name; the last one is the start
  llvm::SmallVector<llvm::StringRef, 64> Words;
  const std::string Status = fileOf(Process, "stat");
  llvm::StringRef(Status).rsplit(") ").second.split(Words, ' ');
  return Words.size() < Fields ? "" : Words[Fields - 1].str();
}

/// The driver runs the device compile and then the host compile, each in a process of its own.
bool isRunByDriver() {
  struct stat Own, Other;
  const std::string Parent = "/proc/" + std::to_string(getppid()) + "/exe";
  return !stat("/proc/self/exe", &Own) && !stat(Parent.c_str(), &Other) && Own.st_ino == Other.st_ino &&
         Own.st_dev == Other.st_dev;
}

/// Otherwise nobody would take the module.
bool willCompileHost() {
  const std::string Command = fileOf(getppid(), "cmdline");
  llvm::SmallVector<llvm::StringRef, 64> Words;
  llvm::StringRef(Command).split(Words, '\0');
  return !Command.empty() && llvm::none_of(Words, [](llvm::StringRef Word) {
    return Word == "--cuda-device-only" || Word == "--offload-device-only" || Word.starts_with("@");
  });
}

/* ---- Equal compiles ---- */

/// All that decides what code generation makes of the source. It names the module: a compile with other options finds none.
std::string optionsOf(CompilerInvocation &Of, const Options &O) {
  std::string Facts;
  llvm::raw_string_ostream Stream(Facts);
  LangOptions Lang = compat::languageOf(Of);
  Lang.ThreadsafeStatics = false; // older drivers do not say so of device code, which has no such statics
#define LANGOPT(Name, ...) Stream << #Name "=" << static_cast<unsigned>(Lang.Name) << '\n';
#define ENUM_LANGOPT(Name, Type, ...) Stream << #Name "=" << static_cast<unsigned>(Lang.get##Name()) << '\n';
#include "clang/Basic/LangOptions.def"
  const CodeGenOptions &Code = Of.getCodeGenOpts();
  Stream << Code.OptimizationLevel << Code.OptimizeSize << Code.FP32DenormalMode.str()
         << Code.FPDenormalMode.str() << '\n'
         << Of.getTargetOpts().Triple << Of.getTargetOpts().CPU << '\n'
         << O.Text << '\n';
  for (const auto &[Macro, Undefined] : Of.getPreprocessorOpts().Macros)
    Stream << (Undefined ? "-U" : "-D") << Macro << '\n';
  for (const std::string &Header : Of.getPreprocessorOpts().Includes)
    Stream << "-include " << Header << '\n';
  for (const HeaderSearchOptions::Entry &Entry : Of.getHeaderSearchOpts().UserEntries)
    if (Entry.Group == frontend::Quoted || Entry.Group == frontend::Angled) // others are the driver's own, which differ
      Stream << "-I" << Entry.Path << '\n';
  for (const FrontendInputFile &Input : Of.getFrontendOpts().Inputs)
    Stream << (Input.isFile() ? Input.getFile() : "-") << '\n';
  Stream.flush();
  return llvm::utohexstr(llvm::xxHash64(Facts), /*LowerCase=*/true);
}

/* ---- Files ---- */

/// For each user one that others can neither read nor change.
Text folder() {
  Text Path;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Path);
  llvm::sys::path::append(Path, "gpuprof-" + std::to_string(getuid()));
  return Path;
}

Text pathOf(CompilerInvocation &Of, const Options &O) {
  Text Path = folder();
  const pid_t Driver = getppid();
  llvm::sys::path::append(Path, std::to_string(Driver) + "-" + startOf(Driver) + "-" + optionsOf(Of, O));
  return Path;
}

/// Removes modules whose driver has ended without a host compile.
void removeLeft(const Text &Folder) {
  std::error_code Error;
  for (llvm::sys::fs::directory_iterator It(Folder, Error), End; !Error && It != End; It.increment(Error)) {
    const auto [Driver, Rest] = llvm::sys::path::filename(It->path()).split('-');
    pid_t Number;
    if (!Driver.getAsInteger(10, Number) && startOf(Number) != Rest.split('-').first)
      llvm::sys::fs::remove(It->path());
  }
}

/// The file has its name once it is complete.
void write(const llvm::Module &M, const Text &Path) {
  const Text Folder = folder();
  mkdir(std::string(Folder).c_str(), S_IRWXU);
  if (!isOwnFolder(std::string(Folder)))
    return;
  removeLeft(Folder);
  Text Unfinished(Path);
  Unfinished += "-";
  Unfinished += std::to_string(getpid());
  std::error_code Error;
  llvm::raw_fd_ostream Stream(Unfinished, Error, llvm::sys::fs::CD_CreateNew);
  if (Error)
    return;
  llvm::WriteBitcodeToFile(M, Stream);
  Stream.close();
  if (Stream.has_error() || llvm::sys::fs::rename(Unfinished, Path)) {
    Stream.clear_error();
    llvm::sys::fs::remove(Unfinished);
  }
}

/* ---- The pass ---- */

class HandOverPass : public llvm::PassInfoMixin<HandOverPass> {
public:
  explicit HandOverPass(Text Path) : Path(std::move(Path)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &) {
    write(M, Path);
    llvm::StripDebugInfo(M); // for the CPU device: a GPU's code stays as clang makes it
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  Text Path;
};

} // namespace

void handModuleToHost(CompilerInstance &CI, const Options &O) {
  CodeGenOptions &Code = CI.getCodeGenOpts();
  if (O.Devices != Options::Device::Both || CI.getTargetOpts().CPU != O.Arch || compat::hasDebugInfo(Code) ||
      !isRunByDriver() || !willCompileHost())
    return;
  const Text Path = pathOf(CI.getInvocation(), O);
  compat::wantLineTables(Code);
  compat::onPassBuilder(Code, [Path](llvm::PassBuilder &PB) {
    compat::atPipelineStart(PB, [Path](llvm::ModulePassManager &Passes, llvm::OptimizationLevel) {
      Passes.addPass(HandOverPass(Path));
    });
  });
}

std::unique_ptr<llvm::MemoryBuffer> takeHandedModule(const CompilerInstance &Host,
                                                     CompilerInvocation &Device, const Options &O) {
  const Text Folder = folder();
  if (O.Devices != Options::Device::Both || compat::hasDebugInfo(Host.getCodeGenOpts()) || !isRunByDriver() ||
      !isOwnFolder(std::string(Folder)))
    return nullptr;
  const Text Path = pathOf(Device, O);
  auto Read = llvm::MemoryBuffer::getFile(Path);
  llvm::sys::fs::remove(Path);
  rmdir(std::string(Folder).c_str()); // if it is empty
  return Read ? std::move(*Read) : nullptr;
}

} // namespace gpuprof
