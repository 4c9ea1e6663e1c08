// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of inline PTX, as plugin/ptx reads them: any text is read, or refused with an error.
#include "ptx/Ptx.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const gpuprof::ptx::Program Read = gpuprof::ptx::parse({reinterpret_cast<const char *>(Data), Size});
  for (const gpuprof::ptx::Instruction &I : Read.Instructions)
    if (I.Opcode.empty() || I.text().empty())
      abort();
  for (const gpuprof::ptx::Label &L : Read.Labels)
    if (L.Name.empty() || L.Before > Read.Instructions.size())
      abort();
  return 0;
}
