// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU device, compiler side: device IR becomes functions of the host module for cpu-device.
#ifndef GPUPROF_COMPILER_PIPELINE_H
#define GPUPROF_COMPILER_PIPELINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm

namespace gpuprof {
/// Lowers the device module in `Bitcode` (nvptx64) to the target of `Host` and links it in. Adds the tables
/// GPUPROF_CPU_KERNEL_TABLE and GPUPROF_CPU_VARIABLE_TABLE of abi.h unless empty. Call it before the
/// optimisation of `Host`. `FormLoops`: kernels become work-item loops if their control flow allows it.
/// Without `All`, kernels are optimised until the instruction budget is spent.
llvm::Error linkCpuKernels(llvm::Module &Host, llvm::StringRef Bitcode, bool FormLoops, bool All);

/// Adds to the optimisation of a host module with kernels what a mistake of this LLVM asks for.
void avoidOptimiserMistakes(llvm::PassBuilder &PB);

/// Registers the passes of opt. `gpuprof-cpu-lower` and `gpuprof-cpu-lower<split>` lower a module of device
/// IR in place to the target of opt's machine. Each stage is a pass, too: `gpuprof-cpu-STAGE`.
/// `gpuprof-cpu-maximum-loops` is vectorize/MaximumLoops.h. `print<gpuprof-cpu-thread-variation>` prints workitem/ThreadVariation.h between stages.
void registerCpuPasses(llvm::PassBuilder &PB);
} // namespace gpuprof
#endif
