// A destructor.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

struct Adds {
  float &x;
#pragma gpuprof region("device")
  __device__ ~Adds() { x = x + 1.0f; }
};
struct Launches {
#pragma gpuprof region("host")
  ~Launches() { LAUNCH(); }
};

__device__ float on_device(float x) {
  { Adds a{x}; }
  return x;
}
void on_host() { Launches l; }
