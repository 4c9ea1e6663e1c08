// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device half: what gpuprof adds to the optimisation pipeline of CUDA device code.
#ifndef GPUPROF_INSTRUMENT_DEVICEHALF_H
#define GPUPROF_INSTRUMENT_DEVICEHALF_H

#include "clones/Clones.h"
#include "costs/Contractions.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace llvm {
class Function;
class PassBuilder;
class StringRef;
} // namespace llvm

namespace gpuprof {

/// Which kernels beside the kernels find unique bytes on a GPU.
enum class UniqueChoice {
  Off,
  Auto, ///< address clones of which the result can be remembered; never for the CPU
  On    ///< also those that read memory, and copies of the kernels
};

std::optional<UniqueChoice> uniqueChoice(llvm::StringRef Word);

struct DeviceOptions {
  bool OnlyAnnotated = false; // count only kernels in which a region runs
  std::string Filter;         // regular expression on demangled kernel names; empty = all
  UniqueChoice Unique = UniqueChoice::Off; // add address clones and marking kernels
  bool Check = false; // add kernels that count what the lanes of each warp ask for together
  CountChoice Count = CountChoice::InKernel; // clones beside kernels, or counters in them
  ContractionMode Contract = ContractionMode::Flagged; // what the code generator is allowed to do
  bool Requests = false;      // for the CPU: find out how many sectors each request of a warp touches
  bool Remarks = false;       // say for each kernel what was inserted
  bool ForCpu = false;        // the module will be lowered to the CPU: no warp operations, slot from the thread's state
  // File and line of clang's location of an inline assembly. Without it they are known with debug information only.
  std::function<std::pair<std::string, unsigned>(unsigned Location)> PlaceOfAsm;
  // How the module is compiled: fields of the sheet's `build` record, but for the optimisation level.
  std::function<std::string()> Build;
  // Says that a kernel reaches an `expect`, at this location of clang's (0: not known). Without it, it is an error of LLVM's.
  std::function<void(unsigned Location)> RefuseExpect;
  // Whether a file belongs to a library: what its functions do is told at the line that calls them.
  std::function<bool(llvm::StringRef File)> IsLibrary;
  // Who prints the remarks. Without it they are ordinary optimisation remarks (-Rpass=gpuprof).
  std::function<void(const llvm::Function &Kernel, llvm::StringRef Text)> Remark;
};

/// Adds both steps to a pipeline: markers become debug scopes at its start, counters are inserted at its end.
void addDevicePasses(llvm::PassBuilder &PB, const DeviceOptions &O);

/// Makes the passes known by name to `opt`: gpuprof-expect, gpuprof-regions, gpuprof-count, print<gpuprof-regions>,
/// print<gpuprof-lanes>, print<gpuprof-costs>, print<gpuprof-expansions>, print<gpuprof-contractions>, the last three also
/// for -ffp-contract=fast (print<gpuprof-costs;contract=all>). gpuprof-count takes parameters:
/// gpuprof-count<cpu;annotated;filter=REGEX;remarks;check;unique;unique=auto;contract=all;count=WORD>.
void registerDevicePasses(llvm::PassBuilder &PB);

} // namespace gpuprof
#endif
