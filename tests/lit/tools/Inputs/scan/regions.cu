#include "gpuprof.h"
#define REGION(name) _Pragma("gpuprof region(\"by a macro\")")

REGION("m")
__global__ void k(float *x) { x[0] = 1; }

void around(float *x) {
#pragma gpuprof region
  for (int i = 0; i < 2; ++i) {
    k<<<1, 1>>>(x);
  }
}

void by_calls(float *x) {
  uint32_t token = gpuprof_region_begin("r");
  k<<<1, 1>>>(x);
  gpuprof_region_end(token);
}

void by_object(float *x) {
  {
    gpuprof::Region region("r");
    k<<<1, 1>>>(x);
  }
}

void after_object(float *x) {
  {
    gpuprof::Region region("r");
  }
  k<<<1, 1>>>(x);
}

void after_calls(float *x) {
  uint32_t token = gpuprof_region_begin("r");
  gpuprof_region_end(token);
  k<<<1, 1>>>(x);
}

void ignored(float *x) {
#pragma gpuprof ignore
  k<<<1, 1>>>(x);
}

void by_operator(float *x) {
  _Pragma("gpuprof region(\"o\")") k<<<1, 1>>>(x);
}
