// Messages about threads that wait say where in the source: a thread writes the place into its state before
// it waits.
#include "lower/Lowering.h"
#include "lower/Matrix.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {

// clang splits a path behind what it has in common with the folder that it runs in: that folder is left out,
// another is not.
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
  // What a header of the compiler, of CUDA or of gpuprof does stands where the program calls it.
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

// What ends a launch where the program, or the lowering, says so. A loop over threads keeps its thread in a
// register, which only these few places need in memory.
static void tellStops(Lowering &L) {
  for (const char *Name : {"__gpuprof_cpu_assert_fail", "__gpuprof_cpu_trap", "__gpuprof_cpu_unsupported"})
    if (Function *Entry = L.M.getFunction(Name))
      for (User *U : Entry->users())
        if (auto *Call = dyn_cast<CallInst>(U);
            Call && any_of(L.Kernels, [&](const Kernel &K) { return K.Body == Call->getFunction(); })) {
          IRBuilder<> B(Call);
          Value *const Thread[] = {L.load(B, Field::tid_x), L.load(B, Field::tid_y), L.load(B, Field::tid_z)};
          B.CreateCall(L.entry("__gpuprof_cpu_stops"), Thread);
        }
}

void tellPlaces(Lowering &L) {
  tellStops(L);
  SmallVector<CallInst *> Calls;
  for (Function &F : L.M)
    if (scheduleOf(F.getName()) == Schedule::waits || F.hasFnAttribute(WarpMatrixAttribute))
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallInst>(U);
            Call && !Call->getFunction()->hasFnAttribute(WarpMatrixAttribute)) // which has been told already
          Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    const std::string Place = placeOf(Call->getDebugLoc());
    IRBuilder<> B(Call);
    Constant *Text = Place.empty() ? ConstantPointerNull::get(B.getPtrTy()) : L.text(Place);
    B.CreateStore(Text, B.CreateStructGEP(L.ThreadType, L.thread(*Call->getFunction()),
                                          static_cast<unsigned>(Field::where)));
  }
}
} // namespace gpuprof::cpu
