/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuprof cc as a build system's launcher: `gpuprof cc --launch [OPTIONS] -- COMPILER ARGUMENTS`. */
#ifndef GP_TOOL_LAUNCH_H
#define GP_TOOL_LAUNCH_H

#include "common/commands.h"

#include <stdbool.h>

/* Whether the first argument of gpuprof cc asks for that. */
bool cc_launches(const char *argument);

/* `argv[0]` is one of
 *   --launch       a command that compiles a CUDA source into an object is compiled as by `gpuprof cc`, with the
 *                  OPTIONS and the command's arguments; one whose options load the plugin runs clang in place of
 *                  its compiler; any other runs as it is
 *   --launch-link  a link gets one more object, with the relocatable device code of clang in its objects and libraries,
 *                  linked for the GPU; nvcc's own link of device code (-dlink) runs as it is
 * Returns the exit code, where this process goes on. */
int cc_launch(const struct command *self, int argc, char **argv);

#endif
