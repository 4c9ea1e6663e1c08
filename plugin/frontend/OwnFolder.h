// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders whose content a compile trusts.
#ifndef GPUPROF_FRONTEND_OWNFOLDER_H
#define GPUPROF_FRONTEND_OWNFOLDER_H

#include <string>

#include <sys/stat.h>
#include <unistd.h>

namespace gpuprof {

/// True if it is this user's, and others can neither read nor change it.
inline bool isOwnFolder(const std::string &Folder) {
  struct stat Status;
  return !lstat(Folder.c_str(), &Status) && S_ISDIR(Status.st_mode) && Status.st_uid == getuid() &&
         !(Status.st_mode & (S_IRWXG | S_IRWXO));
}

} // namespace gpuprof

#endif
