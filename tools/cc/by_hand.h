/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The command that gpuprof cc stands for, typed by hand: clang++ -fplugin=gpuprof.so -x cuda app.cu -o app -lgpuprof. */
#ifndef GP_TOOL_BY_HAND_H
#define GP_TOOL_BY_HAND_H

#include <stdbool.h>

#define LINKER_WRAPPER "clang-linker-wrapper"

/* Whether `compiler` by itself links CUDA programs through clang-linker-wrapper, and so needs it or
 * --no-offload-new-driver. It is asked, since the driver that does so became the default only lately. */
bool by_hand_wants_wrapper(const char *compiler);

#endif
