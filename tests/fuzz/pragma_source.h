/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// Makes a source with pragmas out of bytes: each byte is a choice. Random text is a pragma
// once in a thousand tries. These sources mostly parse, with pragmas in unusual places.
#ifndef GPUPROF_FUZZ_PRAGMA_SOURCE_H
#define GPUPROF_FUZZ_PRAGMA_SOURCE_H

#include <cstdint>
#include <string>

namespace gpuprof::fuzz {

struct Source {
  std::string Text;
  bool HasExpressions = false; ///< of directives, which may be wrong by themselves
};

/// The choices at the end of the bytes are all 0, and end their constructs.
Source makeSource(const uint8_t *Data, size_t Size);

} // namespace gpuprof::fuzz

#endif
