// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device library of gpuprof's own CUDA header: fast-math options of the program do not reach it. GPUs run
// code without that header.
#ifndef GPUPROF_INSTRUMENT_LIBRARYFUNCTIONS_H
#define GPUPROF_INSTRUMENT_LIBRARYFUNCTIONS_H

namespace llvm {
class Module;
}

namespace gpuprof {

/// Takes fast-math flags, and the convergence of inline PTX, from the functions __nv_* and gpuprof_* of the module.
/// NVIDIA's library was compiled without them: a program counts alike with both headers. True: there were some.
bool makeLibraryPrecise(llvm::Module &M);

} // namespace gpuprof
#endif
