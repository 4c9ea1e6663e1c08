// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/NvccVersion.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;

namespace gpuprof {
// Of the first cuda.h among the folders of headers. For a newer toolkit, clang's own value is only the newest
// version it supports.
unsigned cudaHeaderVersion(CompilerInstance &CI) {
  for (const HeaderSearchOptions::Entry &Entry : CI.getHeaderSearchOpts().UserEntries) {
    llvm::SmallString<128> Header(Entry.Path);
    llvm::sys::path::append(Header, "cuda.h");
    const auto Buffer = CI.getVirtualFileSystem().getBufferForFile(Header);
    if (!Buffer)
      continue;
    StringRef Number = (*Buffer)->getBuffer().split("#define CUDA_VERSION").second.ltrim();
    unsigned Version = 0;
    if (!Number.consumeInteger(10, Version))
      return Version;
  }
  return 0;
}

std::string nvccVersionText(CompilerInstance &CI) {
  const unsigned Version = CI.getLangOpts().CUDA ? cudaHeaderVersion(CI) : 0;
  if (!Version)
    return "";
  const std::pair<StringRef, unsigned> Macros[] = {{"__CUDACC_VER_MAJOR__", Version / 1000},
                                                   {"__CUDACC_VER_MINOR__", Version % 1000 / 10},
                                                   {"__CUDACC_VER_BUILD__", 0}}; // in no header
  std::string Text;
  for (auto [Name, Number] : Macros)
    if (llvm::none_of(CI.getPreprocessorOpts().Macros, [&, Name = Name](const auto &Macro) {
          return StringRef(Macro.first).split('=').first == Name;
        }))
      Text += "#define " + Name.str() + " " + std::to_string(Number) + "\n";
  return Text;
}

} // namespace gpuprof
