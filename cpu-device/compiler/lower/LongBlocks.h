// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the host's vectorisers off blocks too long for them.
#ifndef GPUPROF_LOWER_LONGBLOCKS_H
#define GPUPROF_LOWER_LONGBLOCKS_H

namespace llvm {
class Module;
}

namespace gpuprof::cpu {

/// A loop of matrix operations unrolled for a GPU is a block of many thousands of instructions. The SLP
/// vectoriser compares each with those of its kind: its time grows with the square, to minutes. Call it after
/// all of a module's functions are lowered.
void spareLongBlocks(llvm::Module &M);

} // namespace gpuprof::cpu

#endif
