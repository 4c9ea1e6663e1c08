// A recursive function on the host is a path of regions, each within the one before.
// RUN: %place
// RUN: %has region:bottom executions=2 launches=2
// RUN: %document %t.json | grep '"path": ".*host/host/host/bottom"' > %t.paths
#include "place.h"

__device__ float on_device(float x) { return x; }

#pragma gpuprof region("host")
static void recurse(int n) {
  if (n == 0)
#pragma gpuprof region("bottom")
    LAUNCH();
  else
    recurse(n - 1);
}
void on_host() { recurse(2); }
