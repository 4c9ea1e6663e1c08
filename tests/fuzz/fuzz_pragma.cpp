// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pragmas anywhere in a source: the plugin in a compiler of this process, for host and device. It must not crash,
// make invalid code, or cause errors of clang's own in a source free of them without pragmas. The first byte
// chooses the compile mode, the others are choices of pragma_source.h. GPUPROF_FUZZ_PRINT=1 prints the source.
#include "pragma_source.h"

#include "frontend/Action.h"

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace clang;
using gpuprof::fuzz::Source;

namespace {

bool PluginIsOn = true;

/// As registered by plugin/Plugin.cpp, except for compiles without it.
struct SwitchedAction : gpuprof::Action {
  ActionType getActionType() override { return PluginIsOn ? AddBeforeMainAction : CmdlineBeforeMainAction; }
};
const FrontendPluginRegistry::Add<SwitchedAction> Registered("gpuprof", "counts FLOPs and bytes of CUDA kernels");

struct Errors : DiagnosticConsumer {
  std::string OfClang, OfGpuprof;
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < DiagnosticsEngine::Error)
      return;
    llvm::SmallString<256> Text;
    Info.FormatDiagnostic(Text);
    if (Text.ends_with("(in the device code compiled for the CPU device)")) // invisible to the other compile
      return;
    std::string &Of = Text.str().contains("gpuprof") || isAboutPragma(Info) ? OfGpuprof : OfClang;
    Of += Text.str().str() + "\n";
  }

private:
  // Clauses and names have messages without gpuprof's name, at the line of the pragma.
  static bool isAboutPragma(const Diagnostic &Info) {
    if (!Info.hasSourceManager() || !Info.getLocation().isValid())
      return false;
    const SourceManager &Sources = Info.getSourceManager();
    const FullSourceLoc Where(Sources.getExpansionLoc(Info.getLocation()), Sources);
    bool Invalid = false;
    const unsigned Line = Where.getSpellingLineNumber(&Invalid);
    llvm::StringRef Rest = Where.getBufferData(&Invalid);
    for (unsigned I = 1; I < Line && !Invalid; ++I)
      Rest = Rest.split('\n').second;
    return Rest.split('\n').first.contains("gpuprof") || Rest.split('\n').first.contains("REGION");
  }
};

std::vector<const char *> arguments(unsigned Way) {
  const bool Device = Way & 1;
  static const char *const Levels[] = {"-O0", "-O1", "-O2", "-Oz"}, *const Languages[] = {"-std=c++17", "-std=c++20", "-std=c++14", "-std=c++23"};
  std::vector<const char *> Words = {"-triple", Device ? "nvptx64-nvidia-cuda" : "x86_64-unknown-linux-gnu", "-aux-triple",
                                     Device ? "x86_64-unknown-linux-gnu" : "nvptx64-nvidia-cuda", "-target-sdk-version=11.8", "-emit-llvm-only",
                                     Levels[Way >> 2 & 3], Languages[Way >> 4 & 3], "-fcuda-is-device", "-x", "cuda", "-w", "-fexceptions",
                                     "-fcxx-exceptions", "-fdeprecated-macro"};
  if (!Device)
    Words.erase(std::find(Words.begin(), Words.end(), std::string("-fcuda-is-device")));
  else
    Words.insert(Words.end(), {"-target-cpu", "sm_90", "-target-feature", "+ptx80"});
  if (Way >> 6 & 1)
    Words.insert(Words.end(), {"-debug-info-kind=limited", "-dwarf-version=5"});
  return Words;
}

/// With the plugin, or (its pragmas unknown) without.
Errors compile(const Source &Of, unsigned Way, bool WithPlugin) {
  std::vector<const char *> Words = arguments(Way);
  if (WithPlugin)
    Words.insert(Words.end(), {"-plugin-arg-gpuprof", Way & 2 ? "device=gpu" : "device=cpu"});
  Words.push_back("input.cu");
  auto Files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  Files->addFile("input.cu", 0, llvm::MemoryBuffer::getMemBufferCopy(Of.Text));
  Errors Said;
  auto Invocation = std::make_shared<CompilerInvocation>();
  DiagnosticOptions Options;
  DiagnosticsEngine Early(DiagnosticIDs::create(), Options, &Said, /*ShouldOwnClient=*/false);
  if (!CompilerInvocation::CreateFromArgs(*Invocation, Words, Early))
    abort();
  CompilerInstance CI(std::move(Invocation));
  CI.setVirtualFileSystem(Files);
  CI.createDiagnostics(&Said, /*ShouldOwnClient=*/false);
  CI.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  EmitLLVMOnlyAction Action;
  PluginIsOn = WithPlugin;
  CI.ExecuteAction(Action);
  return Said;
}

/// GPUPROF_FUZZ_COUNT=1: at the end, the number of sources with each error.
struct Tally {
  unsigned Good = 0, OfGpuprof = 0, OfClang = 0;
  ~Tally() {
    if (getenv("GPUPROF_FUZZ_COUNT"))
      fprintf(stderr, "sources: %u without an error, %u with gpuprof's, %u with clang's\n", Good, OfGpuprof, OfClang);
  }
} Sources;

[[noreturn]] void fail(const Source &Of, const std::string &Why) {
  llvm::errs() << "error: " << Why << "\n---- source\n" << Of.Text << "----\n";
  abort();
}

} // namespace

// The compiler's libraries are not instrumented, and free their memory at the end of the process.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0:detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size < 2)
    return 0;
  const Source Made = gpuprof::fuzz::makeSource(Data + 1, Size - 1);
  if (getenv("GPUPROF_FUZZ_PRINT"))
    llvm::outs() << Made.Text << "\n", llvm::outs().flush();
  const Errors Said = compile(Made, Data[0], true);
  if (getenv("GPUPROF_FUZZ_PRINT"))
    llvm::errs() << Said.OfClang << Said.OfGpuprof;
  ++(!Said.OfClang.empty() ? Sources.OfClang : !Said.OfGpuprof.empty() ? Sources.OfGpuprof : Sources.Good);
  if (Said.OfGpuprof.find("please report this") != std::string::npos)
    fail(Made, Said.OfGpuprof);
  if (!Said.OfClang.empty() && Said.OfGpuprof.empty() && !Made.HasExpressions && compile(Made, Data[0], false).OfClang.empty())
    fail(Made, "only with the plugin: " + Said.OfClang);
  return 0;
}
