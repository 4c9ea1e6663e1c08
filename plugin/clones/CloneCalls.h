// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that a kernel calls, put into its clone.
#ifndef GPUPROF_CLONES_CLONECALLS_H
#define GPUPROF_CLONES_CLONECALLS_H

#include <string>

namespace gpuprof {

struct KernelPlan;

/// `Plan` is a plan for a kernel's clone, whose functions are still those that the kernel calls. Puts copies
/// of them in the place of the calls, so that afterwards the plan is that of one function with the counters
/// of all. Returns why that cannot be done, or nothing.
std::string inlineCalls(KernelPlan &Plan);

} // namespace gpuprof
#endif
