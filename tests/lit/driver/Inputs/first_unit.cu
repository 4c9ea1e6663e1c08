// step adds once, by each of N threads; the second unit's step multiplies twice.
#include "units.h"

#include <dlfcn.h>

static __global__ void step(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
#pragma gpuprof region("first.add")
  x[i] += 2.0f;
}

int main(int argc, char **argv) {
  check_launch([](float *x) { step<<<GRID, BLOCK>>>(x, N); }, 3.0f);
  check_launch([](float *x) { scale<<<GRID, BLOCK>>>(x, N, 7.0f); }, 7.0f);
#ifdef SECOND_UNIT_IS_OPENED
  void *library = dlopen(argv[argc - 1], RTLD_NOW);
  int (*run)() = library ? (int (*)())dlsym(library, "run_second_unit") : nullptr;
  EXPECT(run && run() == 0);
#else
  (void)argc, (void)argv;
  EXPECT(run_second_unit() == 0);
#endif
  return finish();
}
