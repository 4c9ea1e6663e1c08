// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's options for the device half.
#ifndef GPUPROF_ANALYSIS_DEVICEOPTIONS_H
#define GPUPROF_ANALYSIS_DEVICEOPTIONS_H

#include "costs/Contractions.h"

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

/// The user's choice (-fplugin-arg-gpuprof-count).
enum class CountChoice {
  Auto,     ///< a formula, or a clone if it is free, or much cheaper than the kernel; never for the CPU device
  Formula,  ///< a formula and a clone wherever possible
  Clone,    ///< a clone wherever possible, and no formulas
  InKernel, ///< counters in the kernel
  Blocks    ///< counters in the kernel, one for each block: the reference for tests of the others
};

std::optional<CountChoice> countChoice(llvm::StringRef Word);

/// The additional kernels finding unique bytes on a GPU.
enum class UniqueChoice {
  Off,
  Host, ///< address formulas, evaluated on the host: nothing is added to the device's code
  Auto, ///< also address clones with rememberable results; not for the CPU
  On    ///< also address clones reading memory, and marking kernels
};

std::optional<UniqueChoice> uniqueChoice(llvm::StringRef Word);

struct DeviceOptions {
  bool OnlyAnnotated = false; // count only kernels containing a region
  std::string Filter;         // regular expression on demangled kernel names; empty = all
  UniqueChoice Unique = UniqueChoice::Off; // add address clones and marking kernels
  bool Check = false; // add kernels counting bytes requested together by the lanes of each warp
  CountChoice Count = CountChoice::InKernel; // clones beside kernels, or counters in them
  bool Twins = false; // a kernel without a clone stays as clang made it, and an instrumented twin counts
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
  // The most threads of a block in which the unit launches a kernel; 0: unknown.
  std::function<unsigned(llvm::StringRef Kernel)> LargestBlockOf;
  // True if a file belongs to a library: the work of its functions is reported at the calling line.
  std::function<bool(llvm::StringRef File)> IsLibrary;
  // The printer of remarks. Without it they are ordinary optimisation remarks (-Rpass=gpuprof).
  std::function<void(const llvm::Function &Kernel, llvm::StringRef Text)> Remark;
};

} // namespace gpuprof
#endif
