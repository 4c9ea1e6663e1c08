// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source lines of running threads, for messages.
#ifndef GPUPROF_LOWER_SOURCEBREADCRUMBS_H
#define GPUPROF_LOWER_SOURCEBREADCRUMBS_H

namespace gpuprof::cpu {
struct Lowering;

/// Stores the source line into the thread's state before each call that may wait.
void leaveBreadcrumbs(Lowering &L);
} // namespace gpuprof::cpu
#endif
