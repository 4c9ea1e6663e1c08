// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device half: gpuprof's additions to the optimisation pipeline of CUDA device code.
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

/// The additional kernels finding unique bytes on a GPU.
enum class UniqueChoice {
  Off,
  Auto, ///< address clones with rememberable results; never for the CPU
  On    ///< also address clones reading memory, and marking kernels
};

std::optional<UniqueChoice> uniqueChoice(llvm::StringRef Word);

struct DeviceOptions {
  bool OnlyAnnotated = false; // count only kernels containing a region
  std::string Filter;         // regular expression on demangled kernel names; empty = all
  UniqueChoice Unique = UniqueChoice::Off; // add address clones and marking kernels
  bool Check = false; // add kernels counting bytes requested together by the lanes of each warp
  CountChoice Count = CountChoice::InKernel; // clones beside kernels, or counters in them
  ContractionMode Contract = ContractionMode::Flagged; // contractions allowed to the code generator
  bool Requests = false;      // for the CPU: count the sectors touched by each request of a warp
  bool Remarks = false;       // report the insertions for each kernel
  bool ForCpu = false;        // the module will be lowered to the CPU: no warp operations, slot from the thread's state
  // File and line of clang's location of an inline assembly. Without it they are known with debug information
  // only.
  std::function<std::pair<std::string, unsigned>(unsigned Location)> PlaceOfAsm;
  // The compilation of the module: fields of the sheet's `build` record, except the optimisation level.
  std::function<std::string()> Build;
  // Reports a kernel reaching an `expect`, at this location of clang's (0: unknown). Without it, LLVM reports
  // an error.
  std::function<void(unsigned Location)> RefuseExpect;
  // True if a file belongs to a library: the work of its functions is reported at the calling line.
  std::function<bool(llvm::StringRef File)> IsLibrary;
  // The printer of remarks. Without it they are ordinary optimisation remarks (-Rpass=gpuprof).
  std::function<void(const llvm::Function &Kernel, llvm::StringRef Text)> Remark;
};

/// Adds both steps to a pipeline: markers become debug scopes at its start, counters are inserted at its end.
void addDevicePasses(llvm::PassBuilder &PB, const DeviceOptions &O);

/// Makes the passes known by name to `opt`: gpuprof-expect, gpuprof-regions, gpuprof-count,
/// print<gpuprof-regions>, print<gpuprof-lanes>, print<gpuprof-costs>, print<gpuprof-expansions>,
/// print<gpuprof-contractions>. The last three also exist for -ffp-contract=fast
/// (print<gpuprof-costs;contract=all>). gpuprof-count takes parameters:
/// gpuprof-count<cpu;annotated;filter=REGEX;remarks;check;unique;unique=auto;contract=all;count=WORD>.
void registerDevicePasses(llvm::PassBuilder &PB);

} // namespace gpuprof
#endif
