// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Address checks with -fsanitize=address.
#ifndef GPUPROF_LOWER_ADDRESSCHECKS_H
#define GPUPROF_LOWER_ADDRESSCHECKS_H

namespace llvm {
class Module;
} // namespace llvm

namespace gpuprof::cpu {
struct Lowering;

/// Checks each access of global or shared memory in advance, and has AddressSanitizer check local arrays.
void checkAccesses(Lowering &L);
/// True if the module is compiled with -fsanitize=address.
bool isSanitized(const llvm::Module &Host);
} // namespace gpuprof::cpu
#endif
