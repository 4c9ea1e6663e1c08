// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/SourceLocations.h"
#include "module/Lowering.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
// clang splits a path behind the part in common with its working folder. That folder is omitted, any other
// one kept.
std::string fileOf(const DILocation &At) {
  StringRef Name = At.getFilename(), Folder = At.getDirectory();
  const DISubprogram *Program = At.getScope()->getSubprogram();
  const DICompileUnit *Unit = Program ? Program->getUnit() : nullptr;
  if (Name.starts_with("/") || Folder.empty() || !Unit || Unit->getDirectory() == Folder)
    return Name.str();
  return (Folder + "/" + Name).str();
}

static bool isLibrary(StringRef File) {
  return File.contains("/include/") || File.contains("/minicuda/") || File.contains("/cpu-device/headers/");
}

std::string placeOf(const DebugLoc &Where) {
  if (!Where)
    return "";
  auto Text = [](const DILocation &At) { return fileOf(At) + ":" + std::to_string(At.getLine()); };
  // Code in headers of the compiler, of CUDA or of gpuprof is attributed to its call in the program.
  const DILocation *Inner = Where.get();
  while (Inner->getInlinedAt() && isLibrary(fileOf(*Inner)))
    Inner = Inner->getInlinedAt();
  const DILocation *Outermost = Inner;
  while (const DILocation *Caller = Outermost->getInlinedAt())
    Outermost = Caller;
  return Text(*Inner) + (Outermost == Inner ? "" : " (called at " + Text(*Outermost) + ")");
}

CallInst *stopLaunch(Lowering &L, IRBuilder<> &B, StringRef Why, const DebugLoc &Where) {
  const std::string Place = placeOf(Where);
  const std::string Text = Why.str() + (Place.empty() ? "" : " at " + Place);
  return B.CreateCall(L.entry("__gpuprof_cpu_trap"), {L.text(Text)});
}
} // namespace gpuprof::cpu
