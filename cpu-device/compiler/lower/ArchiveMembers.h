// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions defined in other files of a static library.
#ifndef GPUPROF_LOWER_ARCHIVEMEMBERS_H
#define GPUPROF_LOWER_ARCHIVEMEMBERS_H

namespace llvm {
class Module;
}

namespace gpuprof::cpu {

/// A file calling a device function of another one holds a weak definition of it. A linker takes no archive
/// member for a symbol already defined, even weakly. Each such function therefore has a companion variable:
/// initialised beside the function's definition, a common symbol beside its callers. Linkers search archives
/// for a common symbol, but no file has to define it.
void nameFunctionsForArchives(llvm::Module &M);

} // namespace gpuprof::cpu
#endif
