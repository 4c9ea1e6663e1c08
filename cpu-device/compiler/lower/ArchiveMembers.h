// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions of other files that lie in a static library.
#ifndef GPUPROF_LOWER_ARCHIVEMEMBERS_H
#define GPUPROF_LOWER_ARCHIVEMEMBERS_H

namespace llvm {
class Module;
}

namespace gpuprof::cpu {

/// A file that calls a device function of another holds a weak copy of it, and a linker takes no member out of an archive for
/// the sake of what is already defined, if weakly. So beside each such function lies a variable: initialised where the
/// function is, a common symbol where it is called. For these linkers look into archives, and no file need have them.
void nameFunctionsForArchives(llvm::Module &M);

} // namespace gpuprof::cpu
#endif
