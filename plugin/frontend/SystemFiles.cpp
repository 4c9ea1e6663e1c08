// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/SystemFiles.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

using namespace clang;

namespace gpuprof {
namespace {

// Of a file that this compile has not read, although another one of the same source has.
bool isInSystemFolder(const CompilerInstance &CI, llvm::StringRef Name) {
  const HeaderSearch &Headers = CI.getPreprocessor().getHeaderSearchInfo();
  return std::any_of(Headers.system_dir_begin(), Headers.system_dir_end(),
                     [&](const DirectoryLookup &Folder) {
                       llvm::StringRef Rest = Name;
                       return Rest.consume_front(Folder.getName()) && Rest.starts_with("/");
                     });
}

bool isSystemFile(const CompilerInstance &CI, llvm::StringRef Name) {
  const auto Entry = CI.getFileManager().getOptionalFileRef(Name);
  if (!Entry)
    return false;
  const FileID Id = CI.getSourceManager().translateFile(&Entry->getFileEntry());
  if (Id.isInvalid())
    return isInSystemFolder(CI, Name);
  return SrcMgr::isSystem(CI.getSourceManager().getSLocEntry(Id).getFile().getFileCharacteristic());
}

} // namespace

std::function<bool(llvm::StringRef)> systemFileTest(std::function<const CompilerInstance *()> Compile) {
  // Instructions of one file come by the hundred.
  auto Known = std::make_shared<llvm::StringMap<bool>>();
  return [Compile = std::move(Compile), Known](llvm::StringRef Name) {
    auto [Slot, New] = Known->try_emplace(Name, false);
    if (New)
      Slot->second = isSystemFile(*Compile(), Name);
    return Slot->second;
  };
}

} // namespace gpuprof
