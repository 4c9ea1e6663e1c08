/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs for the harness: they end with 0 after "all right", or with 2 where CUDA had no memory for them. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <cstdio>
#include <cstdlib>

/* An error of CUDA is the answer to a failed allocation: the program reacts as to any. */
static inline void need(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "program: %s: %s\n", what, cudaGetErrorString(error));
  std::_Exit(error == cudaErrorMemoryAllocation ? 2 : 3);
}
#define NEED(call) need(call, #call)

#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      std::fprintf(stderr, "program: not so: %s\n", #condition);                                                      \
      std::exit(4);                                                                                                    \
    }                                                                                                                  \
  } while (0)

#endif
