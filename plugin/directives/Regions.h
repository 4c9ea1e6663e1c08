// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions in IR. At pipeline start the front end's markers become scopes of debug locations. These cost the
// optimiser nothing and survive it. At the end they are read back and removed.
#ifndef GPUPROF_DIRECTIVES_REGIONS_H
#define GPUPROF_DIRECTIVES_REGIONS_H

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

/// Descriptions of the regions around an instruction, outermost first.
using RegionPath = llvm::SmallVector<llvm::StringRef, 4>;

/// Reads the regions back from a location and its inlined call sites.
RegionPath regionPath(const llvm::DILocation *Location);

/// The value of `Key` in a description; empty if absent.
llvm::StringRef descriptionField(llvm::StringRef Description, llvm::StringRef Key);

/// An instruction's place in the user's sources; nothing if unknown (a compile without -g).
struct SourceLine {
  std::string File;
  unsigned Line = 0;
};
/// With a test for files of libraries: the line calling into a library, if library code was inlined.
SourceLine sourceLine(const llvm::DILocation *Location, const std::function<bool(llvm::StringRef)> &IsLibrary = {});
SourceLine sourceLine(const llvm::DISubprogram *Subprogram);

/// Removes every location, scope, subprogram and unit added by RegionsPass. The user's debug information
/// remains.
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
