// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// new and delete of device code without <new>.
#ifndef GPUPROF_INSTRUMENT_ALLOCATORS_H
#define GPUPROF_INSTRUMENT_ALLOCATORS_H

namespace llvm {
class Module;
}

namespace gpuprof {
/// Gives undefined operators new and delete in device code bodies calling the device's malloc and free.
/// NVIDIA's compiler has them built in, clang in a header possibly not included. True: some were defined.
bool defineAllocators(llvm::Module &M);
} // namespace gpuprof
#endif
