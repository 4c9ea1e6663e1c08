// NVIDIA's compiler gives every program <math.h> and <time.h>: host code without them
// compiles here, too. With them the standard library's functions stay the better match.
// RUN: %clangxx -fplugin=%plugin %cudaflags -std=c++17 -O1 -Wall -Wextra -Werror -fsyntax-only -Wno-unknown-cuda-version %s
// RUN: %clangxx -fplugin=%plugin %cudaflags -std=c++17 -O1 -Wall -Wextra -Werror -fsyntax-only -Wno-unknown-cuda-version -DINCLUDE %s
#ifdef INCLUDE
#include <cmath>
#include <math.h>
#include <time.h>
using namespace std;
#endif

template <class T> bool check(T x) { return isfinite(x) && !isnan(x) && !isinf(x) && !signbit(x); }

long both(float x, double y) { return check(x) + check(y) + clock(); }

__global__ void device(float *x) { *x = isnan(*x) || isinf(*x) ? float(clock()) : 0.0f; }
