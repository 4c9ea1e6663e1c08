// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions in IR. At pipeline start the front end's markers become scopes of debug locations, which cost the
// optimiser nothing and survive it; at the end they are read back and removed.
#ifndef GPUPROF_ANALYSIS_REGIONS_H
#define GPUPROF_ANALYSIS_REGIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

#include <functional>
#include <string>

namespace llvm {
class DILocation;
class DISubprogram;
class Module;
class raw_ostream;
} // namespace llvm

namespace gpuprof {

/// Descriptions of the regions an instruction is in, outermost first.
using RegionPath = llvm::SmallVector<llvm::StringRef, 4>;

/// Reads the regions back from a location and the places it was inlined at.
RegionPath regionPath(const llvm::DILocation *Location);

/// The value of `Key` in a description; empty if absent.
llvm::StringRef descriptionField(llvm::StringRef Description, llvm::StringRef Key);

/// Where an instruction is in the user's sources; nothing where that is not known (a compile without -g).
struct SourceLine {
  std::string File;
  unsigned Line = 0;
};
/// With a test for files of libraries: the line that calls into a library, where code of one was inlined.
SourceLine sourceLine(const llvm::DILocation *Location, const std::function<bool(llvm::StringRef)> &IsLibrary = {});
SourceLine sourceLine(const llvm::DISubprogram *Subprogram);

/// Removes every location, scope, subprogram and unit that RegionsPass has added: what is left is the debug
/// information of the user.
void stripRegions(llvm::Module &M);

/// Markers → scopes.
class RegionsPass : public llvm::PassInfoMixin<RegionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; } // at -O0 too
};

/// Prints each function's instructions with the names of their regions.
class RegionsPrinterPass : public llvm::PassInfoMixin<RegionsPrinterPass> {
public:
  explicit RegionsPrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

} // namespace gpuprof
#endif
