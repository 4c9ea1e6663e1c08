// clock() and CLOCKS_PER_SEC in host code without <time.h>, as with NVIDIA's compiler; <time.h> may follow.
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 -Wall -Wextra -Werror -fsyntax-only -Xclang -verify %s
// RUN: %clangxx -fplugin=%plugin %cudaflags -O1 -Wall -Wextra -Werror -fsyntax-only -Xclang -verify %s
// expected-no-diagnostics
#include <cuda_runtime.h>
#include <stdio.h>

double seconds() { return (double)clock() / CLOCKS_PER_SEC; }

#include <time.h>

double minutes() { return (double)clock() / CLOCKS_PER_SEC / 60; }
