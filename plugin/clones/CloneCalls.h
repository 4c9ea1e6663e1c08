// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions called by a kernel, inlined into its clone.
#ifndef GPUPROF_CLONES_CLONECALLS_H
#define GPUPROF_CLONES_CLONECALLS_H

#include <string>

namespace gpuprof {

struct KernelPlan;

/// `Plan` is a plan for a kernel's clone, still with the functions called by the kernel. Replaces the calls
/// by copies of them: afterwards the plan is for one function with the counters of all. Returns the reason
/// for a failure, or nothing.
std::string inlineCalls(KernelPlan &Plan);

} // namespace gpuprof
#endif
