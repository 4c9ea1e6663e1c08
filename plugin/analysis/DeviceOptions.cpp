// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/DeviceOptions.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuprof {

std::optional<CountChoice> countChoice(StringRef Word) {
  return StringSwitch<std::optional<CountChoice>>(Word)
      .Case("auto", CountChoice::Auto)
      .Case("formula", CountChoice::Formula)
      .Case("clone", CountChoice::Clone)
      .Case("inkernel", CountChoice::InKernel)
      .Case("blocks", CountChoice::Blocks)
      .Default(std::nullopt);
}

std::optional<UniqueChoice> uniqueChoice(StringRef Word) {
  return StringSwitch<std::optional<UniqueChoice>>(Word)
      .Case("off", UniqueChoice::Off)
      .Case("host", UniqueChoice::Host)
      .Case("auto", UniqueChoice::Auto)
      .Case("on", UniqueChoice::On)
      .Default(std::nullopt);
}

} // namespace gpuprof
