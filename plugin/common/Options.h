// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin's options, parsed. The list itself is gpuprof/plugin_options.inc.
#ifndef GPUPROF_COMMON_OPTIONS_H
#define GPUPROF_COMMON_OPTIONS_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace gpuprof {

/// Groups of warnings (gpuprof/plugin_warnings.inc).
enum class Warning {
#define GPUPROF_WARNING_GROUP(identifier, name, help) identifier,
#include "gpuprof/plugin_warnings.inc"
};

struct Options {
  enum class Device { Both, Gpu, Cpu };

  Options(); ///< the defaults of gpuprof/plugin_options.inc

  Device Devices;
  bool OnlyAnnotated = false; ///< auto=annotated
  std::string Filter;         ///< a regular expression, or empty
  std::string Arch = "sm_90"; ///< the architecture of the CPU device's code
  bool FastMath = false;       ///< math=fast
  bool FlushDenormals = false; ///< math=flush or fast
  unsigned NoWarnings = 0;    ///< bit w: warnings of group w are off
  std::string Count = "auto"; ///< a word of clones/Clones.h
  bool Twins = true;           ///< twins=on
  std::string Unique = "host";  ///< unique
  bool IsUniqueGiven = false;   ///< else code for the CPU device, which marks sectors itself, has none
  bool Check = false;         ///< check=on
  bool Requests = false;      ///< requests=on
  bool Split = true;          ///< barriers=split
  bool Budget = true;         ///< budget=on
  bool KeepHeaders = true;    ///< headers=kept
  bool Remarks = false;
  bool Help = false;
  std::string Text; ///< as given, separated by spaces

  bool forCpu() const { return Devices != Device::Gpu; }
};

/// Parses `name=value` (or `name`) words. An error lists the existing options or values.
llvm::Expected<Options> parseOptions(const std::vector<std::string> &Words);

/// The list of options for people, one a line.
std::string optionsHelp();

} // namespace gpuprof

#endif
