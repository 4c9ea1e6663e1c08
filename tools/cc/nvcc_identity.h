/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What CMake asks a program of the name nvcc before it takes it for its CUDA compiler. */
#ifndef GP_TOOL_NVCC_IDENTITY_H
#define GP_TOOL_NVCC_IDENTITY_H

#include "cc/line.h"

/* For this command as bin/nvcc in a folder of --cuda-home (CUDA_PATH). Copies the arguments to `line`; CMake's
 * identification of the compiler gets nvcc's macros too. With -v, nvcc's lines for CMake are printed on stderr: the
 * toolkit, its folders, the default architecture and the host's linker. */
void nvcc_identify(struct line *line, int argc, char *const *argv);

#endif
