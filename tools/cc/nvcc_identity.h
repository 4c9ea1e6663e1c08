/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What CMake asks a program of the name nvcc before it takes it for its CUDA compiler. */
#ifndef GP_TOOL_NVCC_IDENTITY_H
#define GP_TOOL_NVCC_IDENTITY_H

#include "cc/line.h"

/* For this command as bin/nvcc in a folder of --cuda-home, which CUDA_PATH names: copies the arguments to `line`, with
 * nvcc's macros where CMake compiles the file that prints them. With -v prints, on stderr, lines of nvcc's that CMake
 * reads: the toolkit, its folders, the default architecture and the host's linker. */
void nvcc_identify(struct line *line, int argc, char *const *argv);

#endif
