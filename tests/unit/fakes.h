/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tests with the fake libcuda.so.1, libcudart.so.13 and libcupti.so.13: the loader must find these,
 * not the machine's, so the test starts itself once more with their folder first in the loader's path.
 */
#ifndef FAKES_H
#define FAKES_H

#include "fake_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Call first in main(). The variables of other tools and of gpuprof itself are taken away. */
static inline void run_with_fakes(char **arguments) {
  static const char *const others[] = {"CUDA_INJECTION64_PATH",
                                       "NVTX_INJECTION64_PATH",
                                       "GPUPROF_DEVICE",
                                       "GPUPROF_ENABLE",
                                       "CUDA_PATH",
                                       "CUDA_HOME"};
  if (getenv("FAKES_COME_FIRST"))
    return;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    unsetenv(others[i]);
  setenv("LD_LIBRARY_PATH", GPUPROF_FAKES, 1);
  setenv("GPUPROF_OUTPUT", GPUPROF_FAKES "/unnamed-%p.json", 1);
  setenv("FAKES_COME_FIRST", "1", 1);
  execv("/proc/self/exe", arguments);
  perror("the test could not start itself again");
  exit(1);
}

#endif
