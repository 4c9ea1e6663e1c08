// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// new and delete of device code that includes no <new>.
#ifndef GPUPROF_INSTRUMENT_ALLOCATORS_H
#define GPUPROF_INSTRUMENT_ALLOCATORS_H

namespace llvm {
class Module;
}

namespace gpuprof {
/// Gives the operators new and delete that device code calls, but nobody defines, bodies that call the
/// device's malloc and free: NVIDIA's compiler has them built in, clang in a header that a program may not
/// include. True: some were.
bool defineAllocators(llvm::Module &M);
} // namespace gpuprof
#endif
